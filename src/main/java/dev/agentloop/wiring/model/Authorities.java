package dev.agentloop.wiring.model;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.llm.http.TrustedCas;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/** Whom servers may be vouched for by: the system's authorities and those of the user. */
public final class Authorities {
    private static final String VARIABLE = "SSL_CERT_FILE";

    private Authorities() {}

    private static final String PEM = "a PEM file with the certificates of CAs";

    /** Read before the first call, so that a wrong file is a mistake of the set-up, exit code 3. */
    public static TrustedCas of(AgentConfig.Llm config, Map<String, String> environment) {
        TrustedCas cas = TrustedCas.SYSTEM;
        String file = environment.getOrDefault(VARIABLE, "");
        if (!file.isBlank()) {
            cas =
                    with(
                            cas,
                            path(file),
                            VARIABLE,
                            "It must name " + PEM + ": correct it, or unset it.");
        }
        return config.caFile().isEmpty()
                ? cas
                : with(cas, config.caFile().get(), "llm.ca_file", "It must name " + PEM + ".");
    }

    private static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new ConfigException(
                    VARIABLE, "is no path of a file", "It must name " + PEM + ".", "");
        }
    }

    private static TrustedCas with(TrustedCas cas, Path pem, String name, String remedy) {
        try {
            return cas.with(pem);
        } catch (IOException e) {
            throw new ConfigException(name, pem + " " + what(pem, e), remedy, "");
        }
    }

    private static String what(Path pem, IOException e) {
        if (Files.isDirectory(pem)) {
            return "is a folder";
        }
        return switch (e) {
            case NoSuchFileException _ -> "does not exist";
            case AccessDeniedException _ -> "may not be read";
            default -> "cannot be used: " + e.getMessage();
        };
    }
}
