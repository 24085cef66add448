package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a session that others had a hand in, in a real browser. */
@Tag("side-by-side")
class SessionPageIT {
    private static final String RUN = "window.struck=1";
    private static final String HOSTILE =
            "<script>"
                    + RUN
                    + "</script><img src=x onerror='"
                    + RUN
                    + "'>"
                    + "<svg onload='"
                    + RUN
                    + "'></svg><iframe srcdoc='<script>parent.struck=1</script>'>"
                    + "</iframe><link rel=stylesheet href=http://127.0.0.1:9/x.css>"
                    + "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>"
                    + "</pre></section></main></body><base href=http://127.0.0.1:9/>"
                    + " &lt;script&gt; &amp; \u202etxt.exe\u202c";
    private static final String ANSWER =
            "# Done\n\n"
                    + HOSTILE
                    + "\n\n[link](javascript:"
                    + RUN
                    + ") ![pixel](http://127.0.0.1:9/p.png)"
                    + " [<b onclick="
                    + RUN
                    + ">](https://example.org/\"onmouseover=\""
                    + RUN
                    + ")\n\n"
                    + "| "
                    + "wide | ".repeat(30)
                    + "\n|"
                    + "---|".repeat(30)
                    + "\n| "
                    + "cell | ".repeat(30)
                    + "\n\n```html\n"
                    + HOSTILE
                    + "\n"
                    + "x".repeat(5_000)
                    + "\n```\n\n- one\n\n> quoted\n";

    private static final List<Look> LOOKS =
            List.of(
                    new Look("light", 1280),
                    new Look("dark", 1280),
                    new Look("light", 390),
                    new Look("dark", 390));

    /** Whether the session is there, and how much of it is folded. */
    private static final String WHOLE =
            "document.body.textContent.includes('<script>window.struck') + ' '"
                    + " + document.querySelectorAll('details:not([open])').length";

    private static final String WIDER =
            """
            document.documentElement.scrollWidth <= COLUMNS ? '' : 'the page: ' +
              [...document.querySelectorAll('*')]
                .filter(one => one.getBoundingClientRect().right > COLUMNS + 1)
                .map(one => one.tagName + '.' + one.className).slice(0, 9).join(' ')
            """;
    private static final String RUNS =
            "!!window.struck || [...document.links].some(a => a.protocol === 'javascript:')";
    private static final String AUDIT =
            """
            axe.run().then(found => ({passes: found.passes.length, faults: found.violations
              .filter(fault => ['serious', 'critical'].includes(fault.impact))
              .map(fault => fault.id + ': ' + fault.nodes.slice(0, 4)
                .map(node => node.target + ' ' + node.failureSummary).join('; '))
              .join('\\n')}))
            """;

    @TempDir Path folder;

    @BeforeAll
    static void aBrowser() {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/chromium")),
                "there is no /usr/bin/chromium, so the page is looked at in no browser");
    }

    @Test
    @DisplayName("nothing of a hostile session runs or is fetched, the page fits, all can use it")
    void hostileSession() throws Exception {
        Path page = Files.writeString(folder.resolve("session.html"), exported());
        try (var browser = browser()) {
            for (Look look : LOOKS) {
                look.put(browser);
                browser.open(page.toUri());
                browser.run("document.querySelector('nav button').click()");
                assertEquals(List.of(), struck(browser, page.toUri()), look::toString);
                assertEquals("true 0", browser.run(WHOLE).asText(), look::toString);
                assertEquals("", wider(browser, look), look::toString);
                assertEquals("", faults(browser), look::toString);
            }
        }
    }

    @Test
    @DisplayName("in a page that trusts it the same text strikes, so the other test could fail")
    void wouldStrike() throws Exception {
        String text = HOSTILE.replaceAll("<meta[^>]*>", "") + "<p style='width: 99rem'>wide";
        Path page = Files.writeString(folder.resolve("trusting.html"), "<body>" + text);
        try (var browser = browser()) {
            Look phone = new Look("light", 390);
            phone.put(browser);
            browser.open(page.toUri());
            List<String> struck = struck(browser, page.toUri());

            assertTrue(struck.contains("ran"), struck::toString);
            assertTrue(struck.contains("http://127.0.0.1:9/x.css"), struck::toString);
            assertTrue(wider(browser, phone).contains("P"), () -> wider(browser, phone));
            assertTrue(faults(browser).contains("image-alt"));
        }
    }

    private Browser browser() throws IOException {
        return new Browser(Files.createDirectory(folder.resolve("browser")));
    }

    private record Look(String scheme, int columns) {
        void put(Browser browser) {
            Map<String, Object> size =
                    Map.of(
                            "width",
                            columns,
                            "height",
                            844,
                            "deviceScaleFactor",
                            1,
                            "mobile",
                            columns < 600);
            browser.ask("Emulation.setDeviceMetricsOverride", size);
            Map<String, String> dark = Map.of("name", "prefers-color-scheme", "value", scheme);
            browser.ask("Emulation.setEmulatedMedia", Map.of("features", List.of(dark)));
        }
    }

    /** Elements that reach out of the page at the right. */
    private static String wider(Browser browser, Look look) {
        return browser.run(WIDER.replace("COLUMNS", "" + look.columns())).asText();
    }

    /** What the page has run, asked for or been kept from. */
    private static List<String> struck(Browser browser, URI page) {
        List<String> found = new ArrayList<>();
        if (browser.run(RUNS).asBoolean()) {
            found.add("ran");
        }
        browser.events("Network.requestWillBeSent").stream()
                .map(sent -> sent.path("request").path("url").asText())
                .filter(url -> !url.equals(page.toString()))
                .forEach(found::add);
        browser.events("Log.entryAdded")
                .forEach(entry -> found.add(entry.path("entry").path("text").asText()));
        return found;
    }

    /** What axe-core takes for serious or worse, one line each. */
    private static String faults(Browser browser) throws IOException {
        try (InputStream axe = SessionPageIT.class.getResourceAsStream("/axe.min.js")) {
            browser.run(new String(axe.readAllBytes(), StandardCharsets.UTF_8) + "; 0");
        }
        JsonNode checked = browser.run(AUDIT);
        assertTrue(checked.path("passes").asInt() > 0, checked::toString);
        return checked.path("faults").asText();
    }

    private static String exported() {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        "write_file",
                                        "file_path",
                                        "a.html",
                                        "content",
                                        HOSTILE + "\n" + "y".repeat(3_000) + "\n"),
                                calls("read_file", "file_path", "a.html"),
                                calls("run_command", "command", "cat a.html; exit 3"),
                                says(ANSWER));
                var world = World.with(model)) {
            Ended ended = world.run("--json", "--yolo", "--sandbox=off", "Task: " + HOSTILE);
            assertEquals(0, ended.exitCode(), ended::toString);
            Ended page =
                    world.agent(
                            "sessions", "export", ended.result("session_id"), "--format", "html");
            assertEquals(0, page.exitCode(), page::toString);
            return page.out();
        }
    }
}
