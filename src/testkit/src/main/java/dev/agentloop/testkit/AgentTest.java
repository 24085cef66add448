package dev.agentloop.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test with an {@link AgentKit} as its parameter. With a cassette the model's words come from that
 * file, and no key and no network are needed; {@code mvn test -Dagent.record=true} records it anew.
 *
 * <pre>{@code
 * @AgentTest(cassette = "trip", model = "anthropic/claude-sonnet-4-5")
 * void looksUpTheWeather(AgentKit kit) {
 *     kit.build(agent -> agent.tool(weather)).runText("Do I need a coat in Paris?");
 *
 *     kit.assertCalled("get_weather").assertCostsAtMost("0.05");
 * }
 * }</pre>
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(AgentExtension.class)
public @interface AgentTest {
    /**
     * Name of a file in {@code src/test/resources/cassettes}, without {@code .jsonl}; empty for a
     * test that brings its own model.
     */
    String cassette() default "";

    /** {@code provider/model} that the cassette is recorded with. */
    String model() default "";
}
