package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Gemini's generateContent. Calls have no ids here: a result's name and order tell its call. */
final class GeminiForm extends WireForm {
    private static final Pattern ADDRESS =
            Pattern.compile(
                    "/v1beta/models/[\\w.-]+:(generateContent|streamGenerateContent\\?alt=sse)");

    @Override
    Answer stream(Reply reply, Supplier<String> ids) {
        List<String> opening = new ArrayList<>();
        for (String piece : halves(reply.text())) {
            ObjectNode chunk = chunk(reply);
            parts(chunk).addObject().put("text", piece);
            opening.add(data(chunk));
        }
        for (Reply.Call call : reply.calls()) {
            ObjectNode chunk = chunk(reply);
            call(parts(chunk), call);
            opening.add(data(chunk));
        }
        ObjectNode end = chunk(reply);
        parts(end).addObject().put("text", "");
        finish(end, reply);
        return new Answer(opening, List.of(data(end)));
    }

    @Override
    String whole(Reply reply, Supplier<String> ids) {
        ObjectNode answer = chunk(reply);
        if (!reply.text().isEmpty()) {
            parts(answer).addObject().put("text", reply.text());
        }
        reply.calls().forEach(call -> call(parts(answer), call));
        finish(answer, reply);
        return answer.toString();
    }

    @Override
    String overloaded(String message) {
        ObjectNode event = JSON.createObjectNode();
        event.putObject("error")
                .put("code", 503)
                .put("message", message)
                .put("status", "UNAVAILABLE");
        return data(event);
    }

    @Override
    boolean isAddress(String target) {
        return ADDRESS.matcher(target).matches();
    }

    @Override
    boolean isStream(Asked asked) {
        return asked.target().contains(":streamGenerateContent");
    }

    @Override
    String system(JsonNode body) {
        return Asked.text(body.path("systemInstruction").path("parts"));
    }

    @Override
    JsonNode history(JsonNode body) {
        return body.path("contents");
    }

    @Override
    List<Said> said(JsonNode body) {
        List<Said> all = new ArrayList<>();
        Map<String, Integer> calls = new HashMap<>();
        Map<String, Integer> results = new HashMap<>();
        for (JsonNode content : history(body)) {
            Said.Who who =
                    content.path("role").asText().equals("user") ? Said.Who.USER : Said.Who.MODEL;
            Said said =
                    new Said(
                            who,
                            Asked.text(content.path("parts")),
                            new ArrayList<>(),
                            new ArrayList<>(),
                            new ArrayList<>());
            for (JsonNode part : content.path("parts")) {
                JsonNode call = part.path("functionCall");
                JsonNode result = part.path("functionResponse");
                JsonNode picture = part.path("inlineData");
                if (call.isObject()) {
                    said.calls().add(new Said.Call(id(calls, call), call.path("args").toString()));
                } else if (result.isObject()) {
                    JsonNode response = result.path("response");
                    String text = response.path("output").asText(response.path("error").asText());
                    String answered = id(results, result);
                    said.results().add(new Said.Result(answered, text, List.of()));
                } else if (picture.isObject()) {
                    String type = picture.path("mimeType").asText();
                    said.pictures().add(new Said.Picture(type, picture.path("data").asText()));
                }
            }
            all.add(said);
        }
        return all;
    }

    /** The same for the n-th call of a tool and for the n-th result of it. */
    private static String id(Map<String, Integer> seen, JsonNode named) {
        String name = named.path("name").asText();
        return name + "/" + seen.merge(name, 1, Integer::sum);
    }

    @Override
    List<String> tools(JsonNode body) {
        return names(body.path("tools").path(0).path("functionDeclarations"));
    }

    @Override
    boolean forbidsTools(JsonNode body) {
        JsonNode config = body.path("toolConfig").path("functionCallingConfig");
        return config.path("mode").asText().equals("NONE");
    }

    @Override
    JsonNode answerSchema(JsonNode body) {
        return body.path("generationConfig").path("responseJsonSchema");
    }

    @Override
    void check(Asked asked, RequestRules rules) {
        rules.require(!asked.system().isBlank(), "no systemInstruction");
        rules.requireTurns();
        rules.require(
                answerSchema(asked.body()).isMissingNode() || asked.tools().isEmpty(),
                "a schema of the answer beside tools");
        checkSignatures(asked, rules);
        for (JsonNode content : asked.messages()) {
            for (JsonNode part : content.path("parts")) {
                int facts = part.size() - (part.has("thoughtSignature") ? 1 : 0);
                boolean said = facts == 1 && !part.path("text").asText("x").isBlank();
                rules.require(said, "a part that says nothing, or two things: " + part);
            }
        }
    }

    /** Gemini 3 wants the first call of each step since the user's last words to be signed. */
    private static void checkSignatures(Asked asked, RequestRules rules) {
        if (!asked.target().contains("/models/gemini-3")) {
            return;
        }
        List<JsonNode> unsigned = new ArrayList<>();
        for (JsonNode content : asked.messages()) {
            if (!content.path("parts").findParents("text").isEmpty()
                    && content.path("role").asText().equals("user")) {
                unsigned.clear();
            }
            List<JsonNode> calls = content.path("parts").findParents("functionCall");
            if (!calls.isEmpty() && calls.getFirst().path("thoughtSignature").asText().isEmpty()) {
                unsigned.add(calls.getFirst());
            }
        }
        rules.require(unsigned.isEmpty(), "calls without a thought signature: " + unsigned);
    }

    /** With the tokens of the prompt, which each chunk tells. */
    private static ObjectNode chunk(Reply reply) {
        ObjectNode chunk = JSON.createObjectNode();
        ObjectNode candidate = chunk.putArray("candidates").addObject().put("index", 0);
        candidate.putObject("content").put("role", "model").putArray("parts");
        chunk.putObject("usageMetadata").put("promptTokenCount", reply.input());
        return chunk.put("responseId", "resp-1");
    }

    private static ArrayNode parts(ObjectNode chunk) {
        return (ArrayNode) chunk.path("candidates").path(0).path("content").path("parts");
    }

    private static void call(ArrayNode parts, Reply.Call call) {
        ObjectNode function = parts.addObject().putObject("functionCall").put("name", call.tool());
        function.set("args", parse(call.arguments()));
    }

    private static void finish(ObjectNode chunk, Reply reply) {
        String reason =
                switch (reply.finish()) {
                    case STOP, TOOLS -> "STOP";
                    case LENGTH -> "MAX_TOKENS";
                    case REFUSAL -> "SAFETY";
                };
        ((ObjectNode) chunk.path("candidates").path(0)).put("finishReason", reason);
        ((ObjectNode) chunk.path("usageMetadata")).put("candidatesTokenCount", reply.output());
    }
}
