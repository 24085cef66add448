package dev.agentloop.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class FooterTest {
    private final Footer footer = new Footer();

    private void used(String source, long prompt, String usd) {
        Usage usage = new Usage(prompt, 0, 0, 0, 0, false);
        footer.emit(new AgentEvent.UsageReported(source, usage, new BigDecimal(usd)));
    }

    @Test
    void aNarrowTerminalShowsTheFirstParts() {
        footer.goesOnWith("p/m", "build", 0, new BigDecimal("0.5"));
        footer.begin(1000);
        used("agent", 120, "0.25");

        assertEquals(
                "p/m | 12 % of the window | session $0.7500 | task $0.2500 | 0:00 | agent build",
                footer.text(200));
        assertEquals("p/m | 12 % of the window", footer.text(30));
        assertEquals("p/m", footer.text(10));
        assertTrue(footer.text(2).length() < 2);
    }

    @Test
    void aSubagentCostsMoneyButFillsNoWindow() {
        footer.goesOnWith("p/m", "build", 50, BigDecimal.ZERO);
        footer.begin(0);
        used("explore", 700, "0.1");

        String text = footer.text(200);
        assertTrue(text.startsWith("p/m | 50 tokens in the context | session $0.1000"), text);
    }

    @Test
    void nothingIsKnownBeforeTheFirstTask() {
        assertEquals("", footer.text(80));
    }
}
