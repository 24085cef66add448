package dev.agentloop.audit;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.json.Json;
import dev.agentloop.message.ToolCall;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds a line for each decision to a file that several runs may share. Each line names the SHA-256
 * of the line before, so that none can be changed or taken out without a trace. Arguments stand in
 * it as their SHA-256 only: they may hold secrets.
 */
public final class AuditLog implements EventSink, AutoCloseable {
    private static final int MAX_LINE = 1 << 16; // bytes; ours have less than a thousand

    private static final String CHANGED =
            "something else has changed the log since this program last added to it";

    private final FileChannel file;
    private final AuditHead head;
    private final Supplier<Instant> clock;
    private final Map<String, ToolCall> calls = new ConcurrentHashMap<>();
    private String session = "";
    private String workspace = "";
    private volatile String failure = "";

    /**
     * Opens the file, and makes it, readable by its owner only, if there is none.
     *
     * @param heads folder in which the ends of logs are noted, where commands cannot write
     * @throws IOException also if it is not a plain file of this user
     */
    public AuditLog(Path file, Path heads, Supplier<Instant> clock) throws IOException {
        this.file =
                PrivateFiles.openOrCreate(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        this.head = new AuditHead(heads, file);
        this.clock = clock;
    }

    @Override
    public void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.SessionStarted started -> {
                session = started.sessionId();
                workspace = started.workspace();
            }
            case AgentEvent.ToolStarted(ToolCall call) -> calls.put(call.id(), call);
            case AgentEvent.PermissionDecided decided -> add(decided);
            case AgentEvent.ToolFinished finished -> calls.remove(finished.call().id());
            case AgentEvent.SubagentDid(String path, _, _, AgentEvent what) -> below(path, what);
            default -> {} // only decisions are audited
        }
    }

    /** Calls of other agents may have the same ids. */
    private void below(String path, AgentEvent event) {
        switch (event) {
            case AgentEvent.ToolStarted(ToolCall call) -> calls.put(path + "/" + call.id(), call);
            case AgentEvent.PermissionDecided it ->
                    add(
                            new AgentEvent.PermissionDecided(
                                    path + "/" + it.callId(),
                                    it.tool(),
                                    it.verdict(),
                                    it.rule(),
                                    it.by()));
            case AgentEvent.ToolFinished end -> calls.remove(path + "/" + end.call().id());
            default -> {} // only decisions are audited
        }
    }

    /** Why a decision is missing; empty while all were written. */
    public String failure() {
        return failure;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private synchronized void add(AgentEvent.PermissionDecided decided) {
        try (FileLock lock = file.lock()) {
            assert lock.isValid();
            AuditHead.Known known = head.read().orElse(null);
            String last = lastLine(known);
            boolean changed = known != null && !known.isEnd(last);
            String problem = known == null ? "" : known.problem();
            if (changed && problem.isEmpty()) {
                problem = "before " + clock.get() + " " + CHANGED;
            }
            failure = changed ? CHANGED + " (agent policy audit FILE)" : failure;
            String line = line(decided, Seal.of(last));
            head.write(new AuditHead.Known(Seal.of(last), line, problem), true);
            append(line + "\n");
            file.force(false);
            head.write(new AuditHead.Known(Seal.of(line), "", problem), false);
        } catch (IOException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    private String line(AgentEvent.PermissionDecided decided, String before) {
        ToolCall call = calls.get(decided.callId());
        String arguments = call == null ? "" : call.arguments();
        return Json.text(json -> {
            json.writeStartObject();
            json.writeStringField("ts", clock.get().toString());
            json.writeStringField("session", session);
            json.writeStringField("workspace", workspace);
            json.writeStringField("call", decided.callId());
            json.writeStringField("tool", decided.tool());
            json.writeStringField("arguments_sha256", Seal.of(arguments));
            json.writeStringField("verdict", decided.verdict());
            json.writeStringField("rule", decided.rule());
            json.writeStringField("by", decided.by());
            json.writeStringField("before", before);
            json.writeEndObject();
        });
    }

    private void append(String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        long end = file.size();
        while (bytes.hasRemaining()) {
            end += file.write(bytes, end);
        }
    }

    /**
     * The last line. What a killed run left unfinished is completed if it is known how it was to go
     * on; else it is sealed as it is.
     */
    private String lastLine(AuditHead.@Nullable Known known) throws IOException {
        long size = file.size();
        if (size == 0) {
            return "";
        }
        int length = (int) Math.min(size, MAX_LINE);
        ByteBuffer tail = ByteBuffer.allocate(length);
        while (tail.hasRemaining() && file.read(tail, size - length + tail.position()) > 0) {}
        String text = new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8);
        if (!text.endsWith("\n")) {
            String begun = text.substring(text.lastIndexOf('\n') + 1);
            String rest = known != null && known.isCut(begun) ? known.next() : begun;
            append(rest.substring(begun.length()) + "\n");
            return rest;
        }
        String body = text.substring(0, text.length() - 1);
        return body.substring(body.lastIndexOf('\n') + 1);
    }
}
