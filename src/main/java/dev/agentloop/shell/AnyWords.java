package dev.agentloop.shell;

import dev.agentloop.shell.parse.Word;
import java.util.List;
import java.util.Set;

/** Programs that only read whatever words are added to theirs: options, files, any number. */
final class AnyWords {
    private static final Set<String> READING =
            Set.of(
                    ("cat head wc ls stat basename dirname grep egrep fgrep cut nl du cksum md5sum"
                                    + " sha1sum sha256sum sha512sum realpath readlink comm cmp echo")
                            .split(" "));

    private AnyWords() {}

    /** Whether the command, its program first, changes and starts nothing with more words. */
    static boolean isReading(List<Word> words) {
        return !words.isEmpty()
                && READING.contains(words.getFirst().text())
                && words.stream().allMatch(Word::isLiteral);
    }
}
