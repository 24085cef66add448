package dev.agentloop.durable.engine;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Finds engines: the local one is built in, others are jars in folders that the user names or that
 * belong to the program. A workspace cannot name one.
 */
public final class Engines {
    private static final List<String> OURS = List.of("restate", "temporal");
    private static final String KNOWN = "Known: local, restate, temporal.";

    private Engines() {}

    /**
     * @param folders where {@code NAME.jar} is looked for, in this order
     */
    @SuppressWarnings("resource") // the engine's classes are needed until the process ends
    public static DurableEngine find(String name, List<Path> folders, Path local)
            throws DurableException {
        if (name.equals(LocalEngine.NAME)) {
            return new LocalEngine(local);
        }
        if (!name.matches("[a-z][a-z0-9-]{0,30}")) {
            throw new DurableException("There is no engine \"" + name + "\". " + KNOWN);
        }
        Set<String> looked = new LinkedHashSet<>(); // the named folder may be the usual one
        for (Path folder : folders) {
            Path jar = folder.resolve(name + ".jar").normalize();
            looked.add(jar.toString());
            if (Files.isRegularFile(jar)) {
                URLClassLoader loader =
                        new URLClassLoader(new URL[] {url(jar)}, Engines.class.getClassLoader());
                Thread.currentThread().setContextClassLoader(loader);
                return load(name, jar, loader);
            }
        }
        throw absent(name, "no " + String.join(", no ", looked));
    }

    private static DurableException absent(String name, String looked) {
        if (!OURS.contains(name)) {
            return new DurableException(
                    "There is no engine \"" + name + "\" (" + looked + "). " + KNOWN);
        }
        return new DurableException(
                "The engine "
                        + name
                        + " is not installed: "
                        + looked
                        + ". Build it with scripts/engines in a checkout, or set"
                        + " AGENT_ENGINES to the folder that has "
                        + name
                        + ".jar.");
    }

    private static URL url(Path jar) throws DurableException {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new DurableException(jar + " cannot be opened: " + e.getMessage());
        }
    }

    private static DurableEngine load(String name, Path jar, URLClassLoader loader)
            throws DurableException {
        try {
            for (DurableEngine engine : ServiceLoader.load(DurableEngine.class, loader)) {
                if (engine.name().equals(name)) {
                    return engine;
                }
            }
            loader.close();
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new DurableException(
                    jar + " does not fit this version of the program: " + e.getMessage());
        } catch (IOException e) {
            throw new DurableException(jar + " cannot be read: " + e.getMessage());
        }
        throw new DurableException(jar + " has no engine named " + name + ".");
    }
}
