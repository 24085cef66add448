package dev.agentloop.session.export;

import dev.agentloop.message.ToolResult;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.SavedSession;
import java.util.Locale;
import java.util.Optional;

/** A form in which a whole session can be handed on. */
public sealed interface SessionExport permits HtmlExport, JsonExport, MarkdownExport {
    /**
     * The document, ending with a line feed.
     *
     * @param contents that the session keeps
     */
    String text(SavedSession session, Blobs contents);

    /** The form of that name: {@code markdown}, {@code html} or {@code json}. */
    static Optional<SessionExport> named(String name) {
        return switch (name) {
            case "markdown", "md" -> Optional.of(new MarkdownExport());
            case "html" -> Optional.of(new HtmlExport());
            case "json" -> Optional.of(new JsonExport());
            default -> Optional.empty();
        };
    }

    /** How the call ended, with the exit code of a command. */
    static String outcome(ToolResult result) {
        String kind = result.kind().name().toLowerCase(Locale.ROOT);
        return result.exitCode().isPresent()
                ? kind + ", exit code " + result.exitCode().getAsInt()
                : kind;
    }

    /** Steps, tokens and money, on one line. */
    static String totals(SavedSession session) {
        String usd =
                session.usd() == null ? "cost unknown" : session.usd().toPlainString() + " USD";
        return session.steps()
                + (session.steps() == 1 ? " step, " : " steps, ")
                + session.toolCalls()
                + (session.toolCalls() == 1 ? " tool call, " : " tool calls, ")
                + session.usage().total()
                + " tokens, "
                + usd;
    }
}
