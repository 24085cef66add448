package dev.agentloop.mcp.channel;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import okhttp3.Response;

/** Reads what a server of the web answers, never more than it has a reason for. */
final class HttpBody {
    private HttpBody() {}

    /** The JSON-RPC error of a refusal, or its first words. */
    static String said(Response response) throws IOException {
        byte[] start = response.body().byteStream().readNBytes(2_000);
        String text = CleanText.oneLine(new String(start, StandardCharsets.UTF_8)).strip();
        try {
            String words = Json.parse(start).at("error").at("message").text();
            text = words.isEmpty() ? text : CleanText.oneLine(words);
        } catch (JsonException e) {
            return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), 200));
        }
        return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), 500));
    }

    /** All of it, at most 8 MB. */
    static byte[] bounded(InputStream in) throws IOException {
        byte[] body = in.readNBytes(BoundedLines.MAX_BYTES + 1);
        if (body.length > BoundedLines.MAX_BYTES) {
            throw new BoundedLines.TooLong();
        }
        return body;
    }
}
