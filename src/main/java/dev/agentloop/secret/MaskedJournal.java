package dev.agentloop.secret;

import dev.agentloop.message.Block;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.session.FileState;
import dev.agentloop.session.ForwardingJournal;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.PreImage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A journal that gets its records with their secrets masked. */
public final class MaskedJournal extends ForwardingJournal {
    private static final int MAX_OUTPUT = 4000; // characters of a command that runs

    private final Journal journal;
    private final Secrets secrets;

    public MaskedJournal(Journal journal, Secrets secrets) {
        super(journal);
        this.journal = journal;
        this.secrets = secrets;
    }

    @Override
    public void append(List<JournalRecord> records, boolean force) {
        List<JournalRecord> masked = new ArrayList<>(records.size());
        for (JournalRecord record : records) {
            masked.add(masked(record));
        }
        journal.append(masked, force);
    }

    /** Records with texts of others; a switch would cost a start 8 ms. */
    private JournalRecord masked(JournalRecord record) {
        if (record instanceof JournalRecord.Answered answered) {
            return new JournalRecord.Answered(answered.callId(), secrets.mask(answered.result()));
        }
        if (record instanceof JournalRecord.UserSaid said) {
            return new JournalRecord.UserSaid(
                    secrets.mask(said.text()), said.origin(), said.images());
        }
        if (record instanceof JournalRecord.Replied reply) {
            return new JournalRecord.Replied(
                    masked(reply.message()),
                    reply.finish(),
                    reply.usage(),
                    reply.usd(),
                    reply.source(),
                    reply.requestId(),
                    reply.by());
        }
        if (record instanceof JournalRecord.RequestFailed failed) {
            return new JournalRecord.RequestFailed(
                    failed.code(),
                    secrets.mask(failed.message()),
                    failed.willRetry(),
                    failed.lostTokens(),
                    failed.usage(),
                    failed.usd(),
                    failed.source(),
                    failed.by());
        }
        return other(record);
    }

    private JournalRecord other(JournalRecord record) {
        if (record instanceof JournalRecord.OutputSoFar(String callId, String text)) {
            String masked = secrets.mask(text); // before it is cut: half a secret is not known
            int from = Math.max(0, masked.length() - MAX_OUTPUT);
            return new JournalRecord.OutputSoFar(callId, masked.substring(from));
        }
        if (record instanceof JournalRecord.Terms terms) {
            return masked(terms);
        }
        if (record instanceof JournalRecord.Compacted(Compaction what)) {
            return new JournalRecord.Compacted(
                    new Compaction(
                            what.by(),
                            what.firstKept(),
                            what.users(),
                            secrets.mask(what.summary()),
                            what.least()));
        }
        if (record instanceof JournalRecord.Routed(String url, String variable)) {
            return new JournalRecord.Routed(secrets.mask(url), secrets.mask(variable));
        }
        return record instanceof JournalRecord.Opened opened ? masked(opened) : named(record);
    }

    /** Records with names of tools and files, which a model may choose. */
    private JournalRecord named(JournalRecord record) {
        if (record instanceof JournalRecord.Decided(var id, var verdict, var rule, var by)) {
            return new JournalRecord.Decided(id, verdict, secrets.mask(rule), secrets.mask(by));
        }
        if (record instanceof JournalRecord.Intended(var id, var tool, var effect)) {
            return new JournalRecord.Intended(id, secrets.mask(tool), effect);
        }
        if (record instanceof JournalRecord.Touched(var id, var files)) {
            return new JournalRecord.Touched(id, files.stream().map(this::masked).toList());
        }
        if (record instanceof JournalRecord.Left(var id, var files)) {
            Map<String, FileState> masked = new LinkedHashMap<>();
            files.forEach((path, state) -> masked.put(secrets.mask(path), masked(state)));
            return new JournalRecord.Left(id, masked);
        }
        if (record instanceof JournalRecord.Undone(var effects, var restored, var refused)) {
            return new JournalRecord.Undone(effects, all(restored), all(refused));
        }
        if (record instanceof JournalRecord.HookRan(var name, var event, var code, var millis)) {
            return new JournalRecord.HookRan(secrets.mask(name), event, code, millis);
        }
        return record;
    }

    private PreImage masked(PreImage file) {
        return new PreImage(
                secrets.mask(file.path()),
                masked(file.before()),
                masked(file.planned()),
                file.blob(),
                secrets.mask(file.movedTo()));
    }

    /** The mark of a link is where it leads to. */
    private FileState masked(FileState state) {
        return state.kind() == FileState.Kind.LINK
                ? new FileState(state.kind(), secrets.mask(state.mark()), state.mode())
                : state;
    }

    private List<String> all(List<String> texts) {
        return texts.stream().map(secrets::mask).toList();
    }

    private JournalRecord masked(JournalRecord.Opened opened) {
        return new JournalRecord.Opened(
                opened.appVersion(),
                opened.workspace(),
                secrets.mask(opened.model()),
                secrets.mask(opened.agent()),
                secrets.mask(opened.systemPrompt()));
    }

    private JournalRecord masked(JournalRecord.Terms terms) {
        return new JournalRecord.Terms(
                terms.confirm(),
                all(terms.allow()),
                all(terms.ask()),
                all(terms.deny()),
                terms.sandbox(),
                terms.network(),
                terms.writable(),
                terms.added(),
                all(terms.tools()));
    }

    private Message.Assistant masked(Message.Assistant message) {
        List<Block> blocks = new ArrayList<>(message.blocks().size());
        for (Block block : message.blocks()) {
            blocks.add(masked(block));
        }
        return new Message.Assistant(blocks);
    }

    private Block masked(Block block) {
        return switch (block) {
            case Block.Text(String text) -> new Block.Text(secrets.mask(text));
            case Block.Call(var call) -> new Block.Call(secrets.mask(call));
            case Block.Reasoning(String text, String provenance) -> {
                String masked =
                        secrets.mask(text); // what is signed must not be changed, so it goes
                yield new Block.Reasoning(masked, masked.equals(text) ? provenance : "");
            }
        };
    }

    @Override
    public void append(List<JournalRecord> records, Runnable written) {
        journal.append(records.stream().map(this::masked).toList(), written);
    }
}
