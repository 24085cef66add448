package dev.agentloop.llm.gemini;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.SafeCall;
import dev.agentloop.llm.Wire;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.RawServer;
import java.util.Locale;

/** Answers of generateContent. */
final class GeminiWire implements Wire {
    @Override
    public String start() {
        return event("{\"usageMetadata\":{\"trafficType\":\"ON_DEMAND\"},\"responseId\":\"r\"}");
    }

    @Override
    public String text(String... deltas) {
        StringBuilder all = new StringBuilder();
        for (String delta : deltas) {
            all.append(part("{\"text\":" + Json.quote(delta) + "}"));
        }
        return all.toString();
    }

    @Override
    public String reasoning(String... deltas) {
        StringBuilder all = new StringBuilder();
        for (String delta : deltas) {
            all.append(part("{\"text\":" + Json.quote(delta) + ",\"thought\":true}"));
        }
        return all.toString();
    }

    /** Arguments are JSON, not text: what the limit cut is a call that is continued no more. */
    @Override
    public String call(int index, String id, String name, String... pieces) {
        String arguments = String.join("", pieces);
        if (arguments.isEmpty()) {
            return part(functionCall(id, name, ""));
        }
        return SafeCall.isWhole(arguments)
                ? part(functionCall(id, name, ",\"args\":" + arguments))
                : part(functionCall(id, name, ",\"willContinue\":true"))
                        + part(
                                "{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a\",\"string"
                                        + "Value\":\"hal\",\"willContinue\":true}],\"willContinue\":"
                                        + "true}}");
    }

    @Override
    public String twoCalls(String first, String second, int pieceLength) {
        return call(0, "id_a", "one", first) + call(1, "id_b", "two", second);
    }

    @Override
    public String finish(String reason, Usage usage) {
        return event(
                "{\"candidates\":[{\"content\":{\"role\":\"model\"},\"finishReason\":\"%s\"}],%s}"
                        .formatted(reason, usage(usage)));
    }

    @Override
    public String end() {
        return "";
    }

    @Override
    public String error(String type, String message) {
        return event(errorBody(type, message));
    }

    @Override
    public String oddities() {
        return event("{\"news\":{\"a\":[1,null]}}")
                + event("{\"candidates\":[{\"content\":{},\"safetyRatings\":[{}]}]}")
                + event(
                        "{\"candidates\":[{\"index\":1,\"content\":{\"parts\":[{\"text\":\"b\"}]}}]}")
                + part("{\"text\":\"\"}")
                + part("{\"functionCall\":{}}")
                + part("{\"executableCode\":{\"language\":\"PYTHON\",\"code\":\"1\"}}")
                + part("{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AA==\"}}");
    }

    @Override
    public String whole(
            String text, String callId, String callName, String arguments, Usage usage) {
        String call =
                callName.isEmpty()
                        ? ""
                        : "," + functionCall(callId, callName, ",\"args\":" + arguments);
        return """
        {"candidates":[{"content":{"parts":[{"text":%s}%s],"role":"model"},\
        "finishReason":"STOP","index":0}],%s,"modelVersion":"g-1"}\
        """
                .formatted(Json.quote(text), call, usage(usage));
    }

    /** The API's own words where it has some for this kind of error. */
    @Override
    public String errorBody(String type, String message) {
        return switch (type) {
            case "overloaded_error" -> error(503, "UNAVAILABLE", message);
            case "rate_limit_error" -> error(429, "RESOURCE_EXHAUSTED", message);
            case "api_error" -> error(500, "INTERNAL", message);
            case "authentication_error" -> error(401, "UNAUTHENTICATED", message);
            case "not_found_error" -> error(404, "NOT_FOUND", message);
            case "invalid_request_error" -> error(400, "INVALID_ARGUMENT", message);
            case "oops" -> error(0, "UNKNOWN", message);
            default -> error(400, type, message);
        };
    }

    @Override
    public String natural() {
        return "STOP";
    }

    @Override
    public String toolUse() {
        return "STOP";
    }

    @Override
    public String length() {
        return "MAX_TOKENS";
    }

    @Override
    public String refusal() {
        return "SAFETY";
    }

    @Override
    public String messagesStart() {
        return "\"contents\":[";
    }

    @Override
    public boolean argumentsAreText() {
        return false;
    }

    @Override
    public boolean asks(RawServer.Request request, boolean stream) {
        String operation = stream ? "streamGenerateContent?alt=sse" : "generateContent";
        return request.head().startsWith("POST /v1/models/g-1:" + operation + " ");
    }

    @Override
    public String toolChoice(JsonValue request) {
        JsonValue config = request.at("toolConfig").at("functionCallingConfig");
        return config.at("mode").text().toLowerCase(Locale.ROOT);
    }

    static String error(int code, String status, String message) {
        return "{\"error\":{\"code\":%d,\"message\":%s,\"status\":\"%s\"}}"
                .formatted(code, Json.quote(message), status);
    }

    static String part(String part) {
        return event(
                "{\"candidates\":[{\"content\":{\"parts\":[" + part + "],\"role\":\"model\"}}]}");
    }

    static String event(String json) {
        return "data: " + json + "\n\n";
    }

    private static String functionCall(String id, String name, String more) {
        String own = id.isEmpty() ? "" : "\"id\":" + Json.quote(id) + ",";
        return "{\"functionCall\":{" + own + "\"name\":" + Json.quote(name) + more + "}}";
    }

    private static String usage(Usage usage) {
        return """
        "usageMetadata":{"promptTokenCount":%d,"cachedContentTokenCount":%d,\
        "candidatesTokenCount":%d,"thoughtsTokenCount":%d}\
        """
                .formatted(
                        usage.input() + usage.cacheRead(),
                        usage.cacheRead(),
                        usage.output() - usage.reasoning(),
                        usage.reasoning());
    }
}
