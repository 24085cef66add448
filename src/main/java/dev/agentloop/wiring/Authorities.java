package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigException;
import dev.agentloop.llm.http.TrustedCas;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/** Whom servers may be vouched for by: the system's authorities and those of the user. */
final class Authorities {
    private static final String VARIABLE = "SSL_CERT_FILE";

    private Authorities() {}

    /** Read before the first call, so that a wrong file is a mistake of the set-up, exit code 3. */
    static TrustedCas of(AgentConfig.Llm config, Map<String, String> environment) {
        TrustedCas cas = TrustedCas.SYSTEM;
        String file = environment.getOrDefault(VARIABLE, "");
        if (!file.isBlank()) {
            cas = with(cas, Path.of(file), VARIABLE);
        }
        return config.caFile().isEmpty() ? cas : with(cas, config.caFile().get(), "llm.ca_file");
    }

    private static TrustedCas with(TrustedCas cas, Path pem, String name) {
        try {
            return cas.with(pem);
        } catch (IOException e) {
            boolean missing = e instanceof NoSuchFileException;
            throw new ConfigException(
                    name,
                    pem + (missing ? " does not exist" : " cannot be used: " + e.getMessage()),
                    "Name a PEM file with certificates of CAs.",
                    "");
        }
    }
}
