package dev.agentloop.mcp;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.message.Image;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a server answers, as the model reads it. */
final class ContentText {
    private static final Set<String> IMAGES =
            Set.of("image/png", "image/jpeg", "image/gif", "image/webp");
    private static final int MAX_IMAGE = 5 << 20; // bytes of base64, as providers take it
    private static final int MOST_IMAGES = 4;

    private final boolean seesImages;
    private final List<String> parts = new ArrayList<>();
    private final List<Image> images = new ArrayList<>();

    private ContentText(boolean seesImages) {
        this.seesImages = seesImages;
    }

    /** The result of a call; whatever the server says about itself, it is data. */
    static ToolResult ofCall(JsonValue result, boolean seesImages) {
        ContentText text = new ContentText(seesImages);
        result.at("content").items().forEach(text::add);
        JsonValue structured = result.at("structuredContent");
        if (text.parts.isEmpty() && text.images.isEmpty() && !structured.isNull()) {
            text.parts.add(Json.text(structured::writeTo));
        }
        ToolResult.Kind kind =
                result.at("isError").isTrue() ? ToolResult.Kind.ERROR : ToolResult.Kind.OK;
        return text.result(kind);
    }

    /** The contents of a resource. */
    static ToolResult ofResource(JsonValue result, boolean seesImages) {
        ContentText text = new ContentText(seesImages);
        result.at("contents").items().forEach(text::resource);
        return text.result(ToolResult.Kind.OK);
    }

    /** The messages of a prompt. */
    static ToolResult ofPrompt(JsonValue result, boolean seesImages) {
        ContentText text = new ContentText(seesImages);
        for (JsonValue message : result.at("messages").items()) {
            text.parts.add("[" + CleanText.oneLine(message.at("role").text()) + "]");
            text.add(message.at("content"));
        }
        return text.result(ToolResult.Kind.OK);
    }

    private ToolResult result(ToolResult.Kind kind) {
        String text = parts.isEmpty() ? "(no text)" : String.join("\n", parts);
        return ToolResult.of(kind, text).withImages(images);
    }

    private void add(JsonValue content) {
        switch (content.at("type").text()) {
            case "text" -> parts.add(CleanText.of(content.at("text").text()));
            case "image" -> image(content.at("mimeType").text(), content.at("data").text());
            case "resource" -> resource(content.at("resource"));
            case "resource_link" -> link(content);
            default -> parts.add(leftOut(content.at("type").text(), content.at("data").text()));
        }
    }

    private void image(String type, String base64) {
        boolean fits = base64.length() <= MAX_IMAGE && images.size() < MOST_IMAGES;
        if (seesImages && fits && IMAGES.contains(type) && !base64.isEmpty()) {
            images.add(new Image(type, base64));
            parts.add("[image, " + type + "]");
        } else {
            parts.add(leftOut(type.isEmpty() ? "image" : type, base64));
        }
    }

    private void resource(JsonValue resource) {
        String name = CleanText.oneLine(resource.at("uri").text());
        if (resource.at("text").isText()) {
            parts.add("[" + name + "]\n" + CleanText.of(resource.at("text").text()));
            return;
        }
        String type = resource.at("mimeType").text();
        String data = resource.at("blob").text();
        if (IMAGES.contains(type)) {
            image(type, data);
        } else {
            parts.add(leftOut(name, data));
        }
    }

    private void link(JsonValue link) {
        String about = CleanText.oneLine(link.at("description").text());
        parts.add(
                "[resource "
                        + CleanText.oneLine(link.at("name").text())
                        + ": "
                        + CleanText.oneLine(link.at("uri").text())
                        + "]"
                        + (about.isEmpty() ? "" : " " + about));
    }

    private static String leftOut(String what, String base64) {
        String name = CleanText.oneLine(what);
        return "[%s, %d bytes, not shown]".formatted(name, base64.length() / 4 * 3);
    }
}
