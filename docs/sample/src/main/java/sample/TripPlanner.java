package sample;

import dev.agentloop.library.AgentLoop;
import dev.agentloop.library.AgentLoopBuilder;
import dev.agentloop.library.CatalogModel;
import dev.agentloop.library.Contexts;
import dev.agentloop.library.EventStream;
import dev.agentloop.library.Models;
import dev.agentloop.library.StreamEvent;
import dev.agentloop.library.TypedTool;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.ModelRetry;
import dev.agentloop.tool.ToolContext;
import java.util.List;
import java.util.Optional;

/** Plans trips: java sample.TripPlanner anthropic/claude-sonnet-4-5 "A weekend in Paris". */
public final class TripPlanner {
    private TripPlanner() {}

    public enum Unit {
        CELSIUS,
        FAHRENHEIT
    }

    public record Place(
            @Doc("ISO code of the country, e.g. FR") String country,
            @Doc("Cities to look up") List<String> cities,
            @Doc("Unit of the answer; CELSIUS if left out") Optional<Unit> unit) {}

    public static AgentLoopBuilder agent(LlmAdapter llm) {
        return AgentLoop.builder(llm, Contexts.slidingWindow(20, 100_000))
                .systemPrompt("You plan trips. Look up the weather before you advise.")
                .tool(
                        TypedTool.of(
                                        "get_weather",
                                        "Tells the weather of cities.",
                                        Place.class,
                                        TripPlanner::weather)
                                .readingOnly())
                .maxTurns(10);
    }

    static String weather(Place place, ToolContext context) {
        if (!place.country().matches("[A-Z]{2}")) {
            throw new ModelRetry("Use the country's ISO code, e.g. FR, not " + place.country());
        }
        String degrees = place.unit().orElse(Unit.CELSIUS) == Unit.CELSIUS ? "21 C" : "70 F";
        return String.join(" and ", place.cities()) + ": " + degrees + ", sunny";
    }

    public static void main(String[] args) {
        try (CatalogModel llm = Models.open(args[0]);
                AgentLoop agent = agent(llm).build();
                EventStream<StreamEvent> events = agent.runStream(args[1])) {
            for (StreamEvent event : events) {
                switch (event) {
                    case StreamEvent.TextDelta(String text) -> System.out.print(text);
                    case StreamEvent.ToolUse use -> System.err.println("[" + use.toolName() + "]");
                    case StreamEvent.Error error -> System.err.println(error.error());
                    default -> {}
                }
            }
        }
    }
}
