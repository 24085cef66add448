package dev.agentloop.cli.terminal;

import dev.agentloop.control.Cancellation;
import dev.agentloop.output.SafeText;
import dev.agentloop.tool.Person;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** The person at the terminal, who is asked what the model wants to know. */
public final class TerminalPerson implements Person {
    private final TerminalTalk talk;
    private final Supplier<List<String>> told;

    /**
     * @param told what the person has typed for the model while it worked
     */
    public TerminalPerson(TerminalTalk talk, Supplier<List<String>> told) {
        this.talk = talk;
        this.told = told;
    }

    @Override
    public List<String> said() {
        return told.get();
    }

    @Override
    public boolean isThere() {
        return true;
    }

    @Override
    public String answer(String question, List<String> options, Cancellation cancellation)
            throws IOException {
        return talk.alone(() -> {
            String said = talk.answer(shown(question, options), cancellation);
            boolean number = said.matches("\\d") && options.size() >= said.charAt(0) - '0';
            return number && !said.equals("0") ? options.get(said.charAt(0) - '1') : said;
        });
    }

    private static String shown(String question, List<String> options) {
        StringBuilder text = new StringBuilder("   The model asks:\n");
        text.append(SafeText.exact(question.strip()).indent(6));
        for (int i = 0; i < options.size(); i++) {
            text.append("      ").append(i + 1).append(") ");
            text.append(SafeText.line(options.get(i))).append('\n');
        }
        return text.append("   Your answer")
                .append(options.isEmpty() ? "" : ", a number or your own words")
                .append(" (empty: the model decides): ")
                .toString();
    }
}
