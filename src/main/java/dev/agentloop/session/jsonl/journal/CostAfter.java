package dev.agentloop.session.jsonl.journal;

import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What readable records behind the copied ones say of money and rights: who goes on from an earlier
 * place has spent it all the same, and may do no more than before.
 */
public record CostAfter(List<JournalRecord> records) {
    public static CostAfter of(Path journal, String id, long from) throws IOException {
        SessionFold rest = new SessionFold(id, false);
        List<JournalRecord> kept = new ArrayList<>();
        try {
            JournalScan.read(
                    journal,
                    id,
                    line -> {
                        if (line.seq() >= from) {
                            rest.add(line);
                            JournalCodec.read(line.type(), line.data())
                                    .filter(CostAfter::isKept)
                                    .ifPresent(kept::add);
                        }
                    });
        } catch (SessionException e) {
            // Damaged from there on, which is why a copy is made.
        }
        SavedSession after = rest.finish("");
        if (after.usage().total() > 0) {
            kept.add(
                    new JournalRecord.RequestFailed(
                            "left_out",
                            "what the records that were not copied have cost",
                            false,
                            0,
                            after.usage(),
                            after.usd() == null ? null : after.usd().toPlainString(),
                            "agent"));
        }
        return new CostAfter(List.copyOf(kept));
    }

    private static boolean isKept(JournalRecord record) {
        return record instanceof JournalRecord.Capped || record instanceof JournalRecord.Terms;
    }
}
