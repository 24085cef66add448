package dev.agentloop.session.jsonl;

import dev.agentloop.session.Journal;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A second process that uses a store; started by tests. */
final class Child {
    private Child() {}

    /** Arguments: root, then {@code hold ID} or {@code append}. */
    public static void main(String[] arguments) throws Exception {
        var store = StoreFixture.durable(Path.of(arguments[0]));
        if (arguments[1].equals("hold")) {
            try (Journal journal = store.reopen(arguments[2]).journal()) {
                say("locked " + journal.sessionId());
                int end = System.in.read();
                say("released " + end);
            }
        } else {
            appendForever(store.create());
        }
    }

    /** Says the number of each record once it was kept. */
    private static void appendForever(Journal journal) {
        say(journal.sessionId());
        journal.append(List.of(Records.OPENED), true);
        for (int i = 0; ; i++) {
            String text = i + " " + "x".repeat(i * 37 % 5000);
            journal.append(List.of(Records.user(text)), i % 3 == 0);
            say(journal.isDurable() ? Integer.toString(i) : journal.failure());
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    static Process start(Path root, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder();
        builder.command()
                .addAll(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Child.class.getName(),
                                root.toString()));
        builder.command().addAll(List.of(arguments));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    static BufferedReader output(Process child) {
        return child.inputReader(StandardCharsets.UTF_8);
    }
}
