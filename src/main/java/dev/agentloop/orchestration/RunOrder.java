package dev.agentloop.orchestration;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run that is wanted.
 *
 * @param options words of {@code agent run}, each with its value in the same word
 * @param prompt the task
 * @param workspace existing folder
 * @param usd hard cap; null for none
 * @param timeout of the whole run; null for none
 */
public record RunOrder(
        List<String> options,
        String prompt,
        Path workspace,
        @Nullable BigDecimal usd,
        @Nullable Duration timeout) {
    public RunOrder {
        options = List.copyOf(options);
    }

    /** The same with another timeout. */
    RunOrder within(Duration time) {
        return new RunOrder(options, prompt, workspace, usd, time);
    }

    /** The same with more options; later ones win. */
    public RunOrder with(List<String> more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(more);
        return new RunOrder(all, prompt, workspace, usd, timeout);
    }
}
