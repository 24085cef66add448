package dev.agentloop.cli.terminal;

import dev.agentloop.output.SafeText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A question that a person answers with yes or no; anything but a plain yes is no. */
public record TerminalQuestion(Streams streams) {

    public boolean isAgreed(String question) throws IOException {
        while (streams.in().available() > 0) {
            streams.in().skipNBytes(streams.in().available()); // typed before it was asked
        }
        streams.printError(SafeText.exact(question) + " [y]es, [n]o: ");
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = streams.in().read();
                next >= 0 && next != '\n';
                next = streams.in().read()) {
            line.write(next);
        }
        String word = line.toString(StandardCharsets.UTF_8).strip().toLowerCase(Locale.ROOT);
        return word.equals("y") || word.equals("yes");
    }
}
