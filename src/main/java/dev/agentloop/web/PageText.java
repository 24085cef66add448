package dev.agentloop.web;

import dev.agentloop.edit.TextEncoding;
import dev.agentloop.tool.ToolException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jspecify.annotations.Nullable;

/**
 * What a page says, ready for the model.
 *
 * @param invisible how many characters that nobody would see were left out
 */
record PageText(String text, int invisible) {
    private static final List<String> TEXTS =
            List.of("json", "xml", "yaml", "toml", "javascript", "ecmascript", "csv", "markdown");
    private static final List<String> UNKNOWN = List.of("", "application/octet-stream");
    private static final int HEAD = 8 * 1024; // as much as tells text from binary

    /** Whether it is worth reading a body of that media type. */
    static boolean mayBeText(String type) {
        return type.startsWith("text/")
                || UNKNOWN.contains(type)
                || TEXTS.stream().anyMatch(type::contains);
    }

    static PageText of(WebAnswer answer) throws ToolException {
        Charset named = charset(answer.charset());
        if (isHtml(answer)) {
            return html(answer, named);
        }
        return visible(named == null ? decoded(answer) : new String(answer.body(), named));
    }

    private static boolean isHtml(WebAnswer answer) {
        if (!UNKNOWN.contains(answer.type())) {
            return answer.type().equals("text/html") || answer.type().contains("xhtml");
        }
        byte[] head = Arrays.copyOf(answer.body(), Math.min(answer.body().length, HEAD));
        String text =
                new String(head, StandardCharsets.ISO_8859_1).strip().toLowerCase(Locale.ROOT);
        return Stream.of("<!doctype html", "<html").anyMatch(text::startsWith);
    }

    /** The page itself names its encoding if its server does not. */
    private static PageText html(WebAnswer answer, @Nullable Charset named) throws ToolException {
        try {
            Document page =
                    Jsoup.parse(
                            new ByteArrayInputStream(answer.body()),
                            named == null ? null : named.name(),
                            answer.url().toString());
            String title = page.title().strip();
            String text = new Markdown(page).text();
            return visible(title.isEmpty() ? text : "Title: " + title + "\n\n" + text);
        } catch (IOException e) {
            throw ToolException.error(answer.url() + " is no readable HTML: " + e.getMessage());
        }
    }

    private static String decoded(WebAnswer answer) throws ToolException {
        byte[] body = answer.body();
        Optional<TextEncoding.Decoded> text = TextEncoding.decode(body);
        for (int dropped = 1; answer.cut() && dropped <= 3 && !isUtf8(text); dropped++) {
            // the cut may have gone through a character
            Optional<TextEncoding.Decoded> shorter =
                    TextEncoding.decode(Arrays.copyOf(body, Math.max(0, body.length - dropped)));
            text = isUtf8(shorter) ? shorter : text;
        }
        return text.map(TextEncoding.Decoded::text)
                .orElseThrow(() ->
                        ToolException.error(
                                "%s is binary%s, %d bytes. Its content is not shown."
                                        .formatted(
                                                answer.url(),
                                                answer.type().isEmpty()
                                                        ? ""
                                                        : " (" + answer.type() + ")",
                                                body.length)));
    }

    private static boolean isUtf8(Optional<TextEncoding.Decoded> text) {
        return text.isPresent() && text.get().encoding() == TextEncoding.UTF_8;
    }

    /** Null for none, and for one that this machine does not know. */
    private static @Nullable Charset charset(@Nullable String name) {
        try {
            return name == null ? null : Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }

    /** Tags, directions and blanks of no width can say to a model what no person would read. */
    private static PageText visible(String text) {
        StringBuilder kept = new StringBuilder(text.length());
        int left = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (isInvisible(c)) {
                left++;
            } else {
                kept.appendCodePoint(c);
            }
            i += Character.charCount(c);
        }
        String lines = kept.toString().replace("\r\n", "\n").replace('\r', '\n');
        return new PageText(lines, left);
    }

    private static boolean isInvisible(int c) {
        boolean control = c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x7F && c < 0xA0;
        boolean tag = c >= 0xE0000 && c <= 0xE0FFF;
        boolean selector = c >= 0xFE00 && c <= 0xFE0F || c >= 0x180B && c <= 0x180F;
        boolean blankLetter = c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0;
        boolean lineEnd = c == 0x2028 || c == 0x2029 || c == 0x034F;
        return control
                || tag
                || selector
                || blankLetter
                || lineEnd
                || Character.getType(c) == Character.FORMAT;
    }
}
