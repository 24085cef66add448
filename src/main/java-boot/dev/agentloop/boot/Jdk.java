package dev.agentloop.boot;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

/** An installed JDK, 25 or newer. Same order and same rules as scripts/agent; starts no process. */
final class Jdk {
    private static final int OLDEST = 25;

    final File home;
    final String runtimeVersion;
    final String arch;

    private Jdk(File home, String runtimeVersion, String arch) {
        this.home = home;
        this.runtimeVersion = runtimeVersion;
        this.arch = arch;
    }

    String java() {
        return home + "/bin/java";
    }

    /** Ends the process with one line and exit code 3 when there is none. */
    static Jdk find() {
        String wanted = System.getenv("AGENT_JAVA");
        if (wanted != null && !wanted.isEmpty()) {
            Jdk jdk = named(wanted);
            if (jdk == null) {
                throw Bootstrap.fail(
                        "AGENT_JAVA="
                                + wanted
                                + " is not a JDK 25 or newer; correct it or unset it");
            }
            return jdk;
        }
        String home = System.getenv("JAVA_HOME");
        Jdk jdk = home != null && home.startsWith("/") ? at(home) : null;
        if (jdk == null) {
            jdk = at(System.getProperty("java.home"));
        }
        if (jdk == null) {
            jdk = installed(System.getProperty("user.home"), System.getenv("RUNNER_TOOL_CACHE"));
        }
        if (jdk == null) {
            throw Bootstrap.fail(
                    "needs a JDK 25 or newer and found only Java "
                            + System.getProperty("java.version")
                            + ". Install one (for example Temurin 25 below /usr/lib/jvm)"
                            + " or set AGENT_JAVA to its folder");
        }
        return jdk;
    }

    private static Jdk installed(String user, String toolCache) {
        String[] patterns = {
            "/usr/lib/jvm/*",
            user + "/.sdkman/candidates/java/*",
            user + "/.jdks/*",
            (toolCache == null || !toolCache.startsWith("/") ? "/opt/hostedtoolcache" : toolCache)
                    + "/Java_*/*/*",
            "/Library/Java/JavaVirtualMachines/*/Contents/Home",
            user + "/Library/Java/JavaVirtualMachines/*/Contents/Home",
            "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
        };
        Jdk jdk = null;
        for (int i = 0; jdk == null && i < patterns.length; i++) {
            jdk = first(new File("/"), patterns[i].substring(1).split("/"), 0);
        }
        return jdk;
    }

    /** The first match of a pattern with at most one * in each part. */
    private static Jdk first(File folder, String[] parts, int index) {
        if (index == parts.length) {
            return at(folder.getPath());
        }
        int star = parts[index].indexOf('*');
        if (star < 0) {
            return first(new File(folder, parts[index]), parts, index + 1);
        }
        String[] names = folder.list();
        if (names == null) {
            return null;
        }
        Arrays.sort(names);
        Jdk jdk = null;
        for (int i = 0; jdk == null && i < names.length; i++) {
            if (names[i].startsWith(parts[index].substring(0, star)) && !names[i].startsWith(".")) {
                jdk = first(new File(folder, names[i]), parts, index + 1);
            }
        }
        return jdk;
    }

    /** A home folder, its bin/java, or a link to that. */
    private static Jdk named(String path) {
        Jdk jdk = at(path);
        try {
            File file = new File(path);
            if (jdk == null && file.isFile()) {
                File bin = file.getCanonicalFile().getParentFile();
                jdk = bin == null ? null : at(bin.getParent());
            }
        } catch (IOException unreadable) {
            return null;
        }
        return jdk;
    }

    private static Jdk at(String path) {
        if (path == null || path.isEmpty()) {
            return null;
        }
        File home = new File(path);
        File release = new File(home, "release");
        if (!release.canRead() || !new File(home, "bin/java").canExecute()) {
            return null;
        }
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(new FileInputStream(release), "UTF-8"))) {
            return read(home, lines);
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static Jdk read(File home, BufferedReader lines) throws IOException {
        String version = null;
        String runtime = null;
        String arch = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int equals = line.indexOf('=');
            String value = equals < 0 ? "" : line.substring(equals + 1).replace("\"", "");
            if (line.startsWith("JAVA_VERSION=")) {
                version = value;
            } else if (line.startsWith("JAVA_RUNTIME_VERSION=")) {
                runtime = value;
            } else if (line.startsWith("OS_ARCH=")) {
                arch = value;
            }
        }
        if (version == null || major(version) < OLDEST) {
            return null;
        }
        return new Jdk(home, runtime == null ? version : runtime, arch);
    }

    private static int major(String version) {
        int number = 0;
        for (int i = 0; i < version.length() && Character.isDigit(version.charAt(i)); i++) {
            number = number * 10 + version.charAt(i) - '0';
        }
        return number;
    }
}
