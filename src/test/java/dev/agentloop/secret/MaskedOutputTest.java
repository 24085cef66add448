package dev.agentloop.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.NoJournal;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MaskedOutputTest {
    private static final String TOKEN = "kP7rT2vW9xYz4AbC6dEf8GhJ1mNq3SuV";

    @Test
    @Tag("C23")
    @DisplayName("a secret that the end of an output would cut is masked whole before the cut")
    void cutSecret() {
        List<JournalRecord> kept = new ArrayList<>();
        Journal inner =
                (Journal)
                        Proxy.newProxyInstance(
                                Journal.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                (_, method, arguments) -> {
                                    if (method.getName().equals("append")) {
                                        ((List<?>) arguments[0])
                                                .forEach(it -> kept.add((JournalRecord) it));
                                        return null;
                                    }
                                    return method.invoke(new NoJournal(), arguments);
                                });
        Secrets secrets = Secrets.ofValues(Map.of(TOKEN, "DEPLOY_TOKEN"));
        String text = "token " + TOKEN + "\n" + "x".repeat(3990);
        new MaskedJournal(inner, secrets)
                .append(List.of(new JournalRecord.OutputSoFar("c1", text)), false);
        String shown = ((JournalRecord.OutputSoFar) kept.getFirst()).text();
        assertEquals(4000, shown.length());
        assertFalse(shown.contains(TOKEN.substring(24)), shown.substring(0, 40));
    }
}
