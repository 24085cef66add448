package dev.agentloop.blackbox;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One request and the ways to answer it. */
public final class Exchange {
    private final Asked asked;
    private final Socket socket;
    private final OutputStream out;
    private final Supplier<String> ids;
    private final Consumer<Reply> whole;
    private List<String> end = List.of();

    Exchange(Asked asked, Socket socket, Supplier<String> ids, Consumer<Reply> whole)
            throws IOException {
        this.whole = whole;
        this.asked = asked;
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.ids = ids;
    }

    public Asked asked() {
        return asked;
    }

    /** The whole reply, in the protocol and the way (stream or not) that was asked for. */
    void reply(Reply reply) throws IOException {
        charge(reply);
        if (!asked.isStream()) {
            status(200, "Content-Type: application/json", form().whole(reply, ids));
            return;
        }
        replyWithoutEnd(reply);
        end();
    }

    /** The reply's beginning: its text and its calls, but no end. */
    void replyWithoutEnd(Reply reply) throws IOException {
        openStream();
        WireForm.Answer answer = form().stream(reply, ids);
        send(answer.opening());
        end = answer.end();
    }

    /** What {@link #replyWithoutEnd} has left out. */
    void end() throws IOException {
        send(end);
        closeStream();
    }

    /** In place of the end: an event that says the provider is overloaded. */
    void overloaded(String message) throws IOException {
        raw(form().overloaded(message));
        closeStream();
    }

    /** A reply that the client can read in full, so that a provider may charge for it. */
    void charge(Reply reply) {
        whole.accept(reply);
    }

    /** Bytes of the stream that are no reply of any protocol. */
    void raw(String text) throws IOException {
        send(List.of(text));
    }

    void openStream() throws IOException {
        write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n");
    }

    void closeStream() throws IOException {
        write("0\r\n\r\n");
    }

    private WireForm form() {
        return asked.protocol().form;
    }

    private void send(List<String> events) throws IOException {
        for (String event : events) {
            int length = event.getBytes(StandardCharsets.UTF_8).length;
            write(Integer.toHexString(length) + "\r\n" + event + "\r\n");
        }
    }

    /** Any other answer; {@code headers} are whole lines. */
    void status(int code, String headers, String body) throws IOException {
        String lines = headers.isEmpty() ? "" : headers + "\r\n";
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        write(
                "HTTP/1.1 "
                        + code
                        + " Scripted\r\n"
                        + lines
                        + "Content-Length: "
                        + length
                        + "\r\n\r\n"
                        + body);
    }

    /** The first half of the whole reply in one piece. */
    void halfBody(Reply reply) throws IOException {
        String body = form().whole(reply, ids);
        write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.getBytes(StandardCharsets.UTF_8).length
                        + "\r\n\r\n"
                        + body.substring(0, body.length() / 2));
    }

    /** Says nothing more until the client hangs up. */
    void stall() {
        try {
            while (socket.getInputStream().read() >= 0) {
                continue; // nothing is expected; the end of the stream is the client's hanging up
            }
        } catch (IOException e) {
            return; // a reset is a way to hang up, too
        }
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    void cut() throws IOException {
        socket.close();
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
