package dev.agentloop.testkit;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each {@link AgentTest} its kit and takes it away when the test is over. */
final class AgentExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace OURS = Namespace.create(AgentExtension.class);
    private static final String FOLDER = "src/test/resources/cassettes";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == AgentKit.class;
    }

    @Override
    public AgentKit resolveParameter(ParameterContext parameter, ExtensionContext test) {
        AgentTest asked = test.getRequiredTestMethod().getAnnotation(AgentTest.class);
        Path folder = Path.of(System.getProperty("agent.cassettes", FOLDER));
        try {
            AgentKit kit =
                    asked == null || asked.cassette().isEmpty()
                            ? new AgentKit()
                            : new AgentKit(
                                    folder.resolve(asked.cassette() + ".jsonl"),
                                    asked.model(),
                                    Boolean.getBoolean("agent.record"));
            test.getStore(OURS).put(AgentKit.class, kit);
            return kit;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext test) {
        AgentKit kit = test.getStore(OURS).remove(AgentKit.class, AgentKit.class);
        if (kit == null) {
            return;
        }
        kit.close();
        if (test.getExecutionException().isEmpty()) { // else that says what is wrong
            kit.assertScriptIsOver();
        }
    }
}
