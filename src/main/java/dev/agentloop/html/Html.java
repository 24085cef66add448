package dev.agentloop.html;

import dev.agentloop.markdown.MarkdownHtml;
import dev.agentloop.session.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Parts of a page. Whatever was recorded becomes text in it, and nothing else. */
public final class Html {
    private Html() {}

    /** Text, also for an attribute in quotes. */
    public static String text(String text) {
        return PlainText.escape(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** What a model said, with its headings, lists, tables and code. */
    public static String said(String text) {
        return MarkdownHtml.isTooMuch(text)
                ? pre(text)
                : "<div class=\"said\">" + MarkdownHtml.of(PlainText.escape(text)) + "</div>\n";
    }

    public static String pre(String text) {
        return "<pre>" + text(text) + "</pre>\n";
    }

    /**
     * Something long that a click shows.
     *
     * @param label HTML
     * @param inner HTML
     */
    public static String folded(String label, String inner, boolean open) {
        return "<details%s><summary>%s</summary>\n%s</details>\n"
                .formatted(open ? " open" : "", label, inner);
    }

    /** A file of the page's own. */
    static String resource(String name) {
        try (InputStream in = Html.class.getResourceAsStream("/export/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no file export/" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a policy names a script or style by, so that no other one counts. */
    static String source(String content) {
        try {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
