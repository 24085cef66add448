package dev.agentloop.testkit;

import dev.agentloop.library.TypedTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Tool;
import java.nio.file.Files;

/** The example of docs/library.md, as it is printed there. */
class PageExampleTest {
    record Place(@Doc("Name of the city") String city) {}

    record Note(@Doc("Name of the file") String name, String text) {}

    private static final Tool<?> weather =
            TypedTool.of(
                    "get_weather",
                    "Tells the weather of a city.",
                    Place.class,
                    (place, context) -> "4 degrees, rain");

    private static final Tool<?> notes =
            TypedTool.of(
                    "write_note",
                    "Writes a note.",
                    Note.class,
                    (note, context) -> {
                        Files.writeString(
                                context.workspace().root().resolve(note.name()), note.text());
                        return "written";
                    });

    @AgentTest(cassette = "trip", model = "anthropic/claude-sonnet-4-5")
    void looksUpTheWeather(AgentKit kit) {
        kit.build(agent -> agent.tool(weather).tool(notes))
                .runText("Do I need a coat in Paris? Note it in notes.md.");

        kit.assertCalledWith("get_weather", "{\"city\": \"Paris\"}")
                .assertFileContains("notes.md", "coat")
                .assertCostsAtMost("0.05");
    }
}
