package dev.agentloop.cli;

import dev.agentloop.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A model server with four fixed replies for both protocols, on loopback, for the training run. */
final class WarmUpServer implements AutoCloseable {
    private static final List<String[]> CALLS =
            List.of(
                    new String[] {"read_file", "{\"file_path\":\"main.py\"}"},
                    new String[] {
                        "edit_file",
                        "{\"file_path\":\"main.py\",\"old_string\":\"VALUE =\","
                                + "\"new_string\":\"VALUE = 1 +\"}"
                    },
                    new String[] {"run_command", "{\"command\":\"echo ok\"}"},
                    new String[] {"write_file", "{\"file_path\":\"a.txt\",\"content\":\"a\\n\"}"});

    private final ServerSocket socket;
    private int requests;

    WarmUpServer() throws IOException {
        socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "warm-up server");
        thread.setDaemon(true);
        thread.start();
    }

    String baseUrl() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void serve() {
        while (!socket.isClosed()) {
            serveOne();
        }
    }

    private void serveOne() {
        try (Socket connection = socket.accept()) {
            converse(connection);
        } catch (IOException e) {
            return; // the client went away, or we are closed
        }
    }

    private void converse(Socket connection) throws IOException {
        InputStream in = connection.getInputStream();
        OutputStream out = connection.getOutputStream();
        for (String head = head(in); !head.isEmpty(); head = head(in)) {
            in.readNBytes(length(head));
            boolean anthropic = head.startsWith("POST /v1/messages");
            String body = anthropic ? anthropic(requests++) : chat(requests++);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            String answer =
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: "
                            + bytes.length
                            + "\r\n\r\n";
            out.write(answer.getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.flush();
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            head.append((char) c);
            if (head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                return head.toString();
            }
        }
        return "";
    }

    private static int length(String head) {
        for (String line : head.split("\r\n", -1)) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                return Integer.parseInt(line.substring(15).strip());
            }
        }
        return 0;
    }

    private static String chat(int request) {
        int turn = request % (CALLS.size() + 1);
        if (turn == CALLS.size()) {
            return chunk("{\"content\":\"done\"}", "\"stop\"") + "data: [DONE]\n\n";
        }
        String call =
                "{\"tool_calls\":[{\"index\":0,\"id\":\"c"
                        + request
                        + "\",\"type\":\"function\",\"function\":{\"name\":\""
                        + CALLS.get(turn)[0]
                        + "\",\"arguments\":"
                        + Json.quote(CALLS.get(turn)[1])
                        + "}}]}";
        return chunk(call, "null") + chunk("{}", "\"tool_calls\"") + "data: [DONE]\n\n";
    }

    private static String chunk(String delta, String finish) {
        return "data: {\"choices\":[{\"index\":0,\"delta\":"
                + delta
                + ",\"finish_reason\":"
                + finish
                + "}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n\n";
    }

    private static String anthropic(int request) {
        int turn = request % (CALLS.size() + 1);
        boolean done = turn == CALLS.size();
        String block =
                done
                        ? "{\"type\":\"text\",\"text\":\"\"}"
                        : "{\"type\":\"tool_use\",\"id\":\"t"
                                + request
                                + "\",\"name\":\""
                                + CALLS.get(turn)[0]
                                + "\",\"input\":{}}";
        String delta =
                done
                        ? "{\"type\":\"text_delta\",\"text\":\"done\"}"
                        : "{\"type\":\"input_json_delta\",\"partial_json\":"
                                + Json.quote(CALLS.get(turn)[1])
                                + "}";
        return event("message_start", "\"message\":{\"usage\":{\"input_tokens\":10}}")
                + event("content_block_start", "\"index\":0,\"content_block\":" + block)
                + event("content_block_delta", "\"index\":0,\"delta\":" + delta)
                + event("content_block_stop", "\"index\":0")
                + event(
                        "message_delta",
                        "\"delta\":{\"stop_reason\":\""
                                + (done ? "end_turn" : "tool_use")
                                + "\"},\"usage\":{\"output_tokens\":5}")
                + event("message_stop", "\"x\":0");
    }

    private static String event(String type, String rest) {
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\"," + rest + "}\n\n";
    }
}
