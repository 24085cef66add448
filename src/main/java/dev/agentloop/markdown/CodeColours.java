package dev.agentloop.markdown;

import dev.agentloop.colour.Tint;
import java.util.Locale;
import java.util.Map;
import javax.swing.text.Segment;
import org.fife.ui.rsyntaxtextarea.SyntaxConstants;
import org.fife.ui.rsyntaxtextarea.Token;
import org.fife.ui.rsyntaxtextarea.TokenMaker;
import org.fife.ui.rsyntaxtextarea.TokenMakerFactory;
import org.fife.ui.rsyntaxtextarea.TokenTypes;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one block of code in the colours of its language. They are given in their order,
 * because a comment or a string may go on in the next line.
 */
final class CodeColours {
    private static final int LONGEST = 2_000; // characters of a line; longer ones hold data

    /** What people call languages, where that is not the name that the library has. */
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("bash", "unix"),
                    Map.entry("sh", "unix"),
                    Map.entry("shell", "unix"),
                    Map.entry("zsh", "unix"),
                    Map.entry("console", "unix"),
                    Map.entry("py", "python"),
                    Map.entry("js", "javascript"),
                    Map.entry("jsx", "javascript"),
                    Map.entry("mjs", "javascript"),
                    Map.entry("ts", "typescript"),
                    Map.entry("tsx", "typescript"),
                    Map.entry("json5", "jshintrc"),
                    Map.entry("jsonc", "jshintrc"),
                    Map.entry("c++", "cpp"),
                    Map.entry("cc", "cpp"),
                    Map.entry("h", "cpp"),
                    Map.entry("hpp", "cpp"),
                    Map.entry("c#", "cs"),
                    Map.entry("csharp", "cs"),
                    Map.entry("go", "golang"),
                    Map.entry("rs", "rust"),
                    Map.entry("rb", "ruby"),
                    Map.entry("kt", "kotlin"),
                    Map.entry("kts", "kotlin"),
                    Map.entry("yml", "yaml"),
                    Map.entry("toml", "ini"),
                    Map.entry("svg", "xml"),
                    Map.entry("pom", "xml"),
                    Map.entry("scss", "less"),
                    Map.entry("docker", "dockerfile"),
                    Map.entry("make", "makefile"),
                    Map.entry("gradle", "groovy"),
                    Map.entry("ps1", "powershell"),
                    Map.entry("tex", "latex"),
                    Map.entry("clj", "clojure"),
                    Map.entry("pl", "perl"),
                    Map.entry("protobuf", "proto"));

    private final Looks looks;
    private final @Nullable TokenMaker tokens; // null: all of the code looks alike
    private int state = TokenTypes.NULL; // that the last line ended in

    /**
     * @param language as it stands behind the fence; may be empty, or unknown
     */
    CodeColours(Looks looks, String language) {
        this.looks = looks;
        this.tokens = looks.colour() ? tokens(language) : null;
    }

    private static @Nullable TokenMaker tokens(String language) {
        String name = language.strip().toLowerCase(Locale.ROOT).split("[\\s{,:]", 2)[0];
        String style = "text/" + NAMES.getOrDefault(name, name);
        TokenMakerFactory known = TokenMakerFactory.getDefaultInstance();
        return name.isEmpty()
                        || style.equals(SyntaxConstants.SYNTAX_STYLE_JSP) // not in the jar
                        || !known.keySet().contains(style)
                ? null
                : known.getTokenMaker(style);
    }

    String line(String text) {
        if (tokens == null || text.length() > LONGEST) {
            return looks.code(text);
        }
        char[] characters = text.toCharArray();
        StringBuilder shown = new StringBuilder();
        int end = 0; // of what is shown
        Token token = tokens.getTokenList(segment(characters), state, 0);
        for (; token != null && token.isPaintable(); token = token.getNextToken()) {
            String lexeme = token.getLexeme();
            boolean torn = // half of a character that has two of Java's
                    end + lexeme.length() < text.length()
                            && Character.isLowSurrogate(text.charAt(end + lexeme.length()));
            if (torn || !text.startsWith(lexeme, end)) {
                break;
            }
            end += lexeme.length();
            shown.append(token(token.getType(), lexeme));
        }
        state = tokens.getLastTokenTypeOnLine(segment(characters), state);
        return end == text.length() ? shown.toString() : looks.code(text); // it leaves some out
    }

    private static Segment segment(char[] line) {
        return new Segment(line, 0, line.length);
    }

    private String token(int type, String text) {
        return switch (type) {
            case TokenTypes.COMMENT_EOL,
                    TokenTypes.COMMENT_MULTILINE,
                    TokenTypes.COMMENT_DOCUMENTATION,
                    TokenTypes.COMMENT_KEYWORD,
                    TokenTypes.COMMENT_MARKUP,
                    TokenTypes.MARKUP_COMMENT ->
                    looks.in(Tint.COMMENT, text);
            case TokenTypes.RESERVED_WORD,
                    TokenTypes.RESERVED_WORD_2,
                    TokenTypes.PREPROCESSOR,
                    TokenTypes.MARKUP_TAG_NAME,
                    TokenTypes.MARKUP_PROCESSING_INSTRUCTION ->
                    looks.in(Tint.KEYWORD, text);
            case TokenTypes.LITERAL_STRING_DOUBLE_QUOTE,
                    TokenTypes.LITERAL_CHAR,
                    TokenTypes.LITERAL_BACKQUOTE,
                    TokenTypes.REGEX,
                    TokenTypes.ERROR_STRING_DOUBLE,
                    TokenTypes.ERROR_CHAR,
                    TokenTypes.MARKUP_TAG_ATTRIBUTE_VALUE,
                    TokenTypes.MARKUP_CDATA ->
                    looks.in(Tint.STRING, text);
            case TokenTypes.LITERAL_BOOLEAN,
                    TokenTypes.LITERAL_NUMBER_DECIMAL_INT,
                    TokenTypes.LITERAL_NUMBER_FLOAT,
                    TokenTypes.LITERAL_NUMBER_HEXADECIMAL,
                    TokenTypes.MARKUP_ENTITY_REFERENCE ->
                    looks.in(Tint.NUMBER, text);
            case TokenTypes.DATA_TYPE,
                    TokenTypes.FUNCTION,
                    TokenTypes.ANNOTATION,
                    TokenTypes.VARIABLE,
                    TokenTypes.MARKUP_TAG_ATTRIBUTE ->
                    looks.in(Tint.TYPE, text);
            default -> text;
        };
    }
}
