package dev.agentloop.context;

import dev.agentloop.message.Block;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import java.util.List;
import java.util.Optional;

/** What of old messages is kept in any case: what the user said, and what stood for older ones. */
final class SpokenWords {
    private static final long MOST = 20_000; // tokens; what other agents give the user's words
    private static final int SHARE = 5; // of the limit, at most

    private SpokenWords() {}

    /** How many of the user's messages fit their budget, the newest; the first is not counted. */
    static int users(List<Message> old, Situation now) {
        long budget = now.limit() == 0 ? MOST : Math.min(MOST, now.limit() / SHARE);
        List<Message> said = old.stream().filter(it -> it instanceof Message.User).toList();
        int kept = 0;
        double used = 0;
        for (int i = said.size() - 1; i > 0; i--) {
            used += TokenEstimate.ofCharacters(TokenEstimate.of(said.get(i))) * now.ratio();
            if (used > budget) {
                return kept;
            }
            kept++;
        }
        return kept;
    }

    /** The summary that an earlier compaction has left, without its title. */
    static Optional<String> summary(List<Message> old) {
        String title = Compaction.TITLE + "\n";
        for (Message message : old) {
            if (message instanceof Message.Assistant said
                    && said.blocks().getFirst() instanceof Block.Text(String text)
                    && text.startsWith(title)) {
                return Optional.of(text.substring(title.length()));
            }
        }
        return Optional.empty();
    }
}
