package dev.agentloop.session.jsonl;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Short ways to write records in tests. */
public final class Records {
    public static final JournalRecord.Opened OPENED =
            new JournalRecord.Opened(
                    "1.0", "/work/shop", "acme/model", "build", "You are careful.");
    public static final Usage USAGE = new Usage(100, 20, 30, 5, 7, false);
    public static final List<SavedSession.Paid> THREE_PAID =
            Collections.nCopies(3, new SavedSession.Paid("agent", USAGE, "0.0125"));

    private Records() {}

    public static JournalRecord opened(String workspace) {
        return new JournalRecord.Opened(
                "1.0", workspace, "acme/model", "build", "You are careful.");
    }

    public static JournalRecord user(String text) {
        return new JournalRecord.UserSaid(text, "person");
    }

    public static JournalRecord says(String text) {
        return replied(List.of(new Block.Text(text)));
    }

    public static JournalRecord calls(String... ids) {
        List<Block> blocks = new ArrayList<>();
        for (String id : ids) {
            blocks.add(new Block.Call(new ToolCall(id, "read_file", "{\"path\":\"" + id + "\"}")));
        }
        return replied(blocks);
    }

    public static JournalRecord.Replied replied(List<Block> blocks) {
        return new JournalRecord.Replied(
                new Message.Assistant(blocks), "TOOL_USE", USAGE, "0.0125", "agent", "req_1");
    }

    public static JournalRecord intent(String id, String effect) {
        return new JournalRecord.Intended(id, "read_file", effect);
    }

    public static JournalRecord answer(String id, String text) {
        return new JournalRecord.Answered(id, ToolResult.ok(text));
    }

    public static JournalRecord ended(int steps) {
        return new JournalRecord.Ended("success", "llm_done", 0, steps, 1234);
    }
}
