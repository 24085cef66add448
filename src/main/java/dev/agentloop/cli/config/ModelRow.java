package dev.agentloop.cli.config;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.output.SafeText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line of the list of models.
 *
 * @param source where the name comes from
 * @param known whether the catalog or the configuration describes it
 */
record ModelRow(ModelCatalog.Entry entry, Source source, boolean known) {
    private static final int MAX_NAME = 200; // of a foreign name

    /** Who told that there is such a model. */
    enum Source {
        CATALOG,
        LOCAL,
        LIVE
    }

    String line() {
        AgentConfig.Price price = entry.price();
        String money =
                price.isKnown()
                        ? "$"
                                + text(price.input())
                                + " in, $"
                                + text(price.output())
                                + " out per 1M"
                        : "price unknown";
        return SafeText.line(entry.info().id(), MAX_NAME)
                + "  context "
                + number(entry.info().contextWindow())
                + ", output "
                + number(entry.info().maxOutputTokens())
                + ", "
                + money
                + "; "
                + String.join(", ", abilities(entry.info().capabilities()))
                + switch (source) {
                    case CATALOG -> "";
                    case LOCAL -> "; runs on this machine";
                    case LIVE -> known ? "; live, known" : "; live, unknown";
                };
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", entry.info().id());
        row.put("provider", entry.info().provider());
        row.put("source", source.name().toLowerCase(Locale.ROOT));
        row.put("known", known);
        row.put("context_window", orNull(entry.info().contextWindow()));
        row.put("max_output_tokens", orNull(entry.info().maxOutputTokens()));
        Map<String, @Nullable Object> price = new LinkedHashMap<>();
        price.put("input", entry.price().input().orElse(null));
        price.put("cached_input", entry.price().cachedInput().orElse(null));
        price.put("cache_write", entry.price().cacheWrite().orElse(null));
        price.put("output", entry.price().output().orElse(null));
        price.put("reasoning", entry.price().reasoning().orElse(null));
        price.put("basis", entry.basis().name().toLowerCase(Locale.ROOT));
        row.put("price", price);
        row.put("capabilities", capabilities(entry.info().capabilities()));
        return row;
    }

    private static Map<String, @Nullable Object> capabilities(Capabilities can) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("tools", can.tools());
        all.put("images", can.images());
        all.put("efforts", efforts(can));
        all.put("parallel_tools", can.parallelTools());
        all.put("answer_schema", can.answerSchema());
        all.put("text_calls", can.textCalls());
        all.put("reasoning_goes_back", can.reasoningGoesBack());
        all.put("max_completion_tokens", can.maxCompletionTokens());
        all.put("temperature", can.temperature());
        return all;
    }

    private static List<String> abilities(Capabilities can) {
        List<String> words = new ArrayList<>();
        words.add(can.tools() ? can.parallelTools() ? "tools" : "one tool at a time" : "no tools");
        words.add(can.images() ? "images" : "no images");
        List<String> efforts = efforts(can);
        words.add(efforts.isEmpty() ? "no effort" : "effort " + String.join("|", efforts));
        words.add(can.answerSchema() ? "answer schema" : "no answer schema");
        if (can.textCalls()) {
            words.add("calls in text");
        }
        return words;
    }

    /** In their own order. */
    private static List<String> efforts(Capabilities can) {
        List<String> words = new ArrayList<>();
        for (Effort effort : Effort.values()) {
            if (can.efforts().contains(effort)) {
                words.add(effort.name().toLowerCase(Locale.ROOT));
            }
        }
        return words;
    }

    private static String text(Optional<BigDecimal> price) {
        return price.map(BigDecimal::toPlainString).orElse("?");
    }

    private static String number(int tokens) {
        return tokens == 0 ? "unknown" : Integer.toString(tokens);
    }

    private static @Nullable Integer orNull(int tokens) {
        return tokens == 0 ? null : tokens;
    }
}
