package dev.agentloop.mcp;

import dev.agentloop.mcp.channel.ServerSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What an approval of a server is bound to: its name, its command line or address, what its
 * configuration says of variables and headers, and the content of every file that the command line
 * names, such as the program itself and the script it runs. What a variable of the user's holds may
 * change, a token often does; which one is sent may not. Folders and modules are not looked into.
 */
public final class Fingerprint {
    private static final int CHUNK = 1 << 16;
    private static final long MAX_BYTES = 64L << 20; // of one file; of a longer one its size counts

    private Fingerprint() {}

    /**
     * The fingerprint of a server.
     *
     * @param declared what its configuration says, before anything is filled in, by its key
     * @param workspace what relative paths start from
     */
    public static String of(ServerSpec spec, Map<String, String> declared, Path workspace)
            throws IOException {
        Digest digest = new Digest().add(spec.name());
        new TreeMap<>(declared).forEach((key, value) -> digest.add(key).add(value));
        switch (spec.way()) {
            case ServerSpec.Program(var argv, var environment) -> {
                for (String word : argv) {
                    digest.add(word);
                    content(digest, word, workspace);
                    if (word.contains("=")) { // --file=NAME
                        content(digest, word.substring(word.indexOf('=') + 1), workspace);
                    }
                }
                new TreeSet<>(environment.keySet()).forEach(digest::add);
            }
            case ServerSpec.Remote(var url, var headers, var token, var client, var _) -> {
                digest.add(url.toString());
                new TreeSet<>(headers.keySet()).forEach(digest::add);
                digest.add(token.isPresent() ? "token" : "");
                digest.add(client.id());
            }
        }
        return digest.hex();
    }

    private static void content(Digest digest, String word, Path workspace) throws IOException {
        Path file;
        try {
            file = workspace.resolve(word);
        } catch (InvalidPathException e) {
            return; // no name of a file
        }
        if (word.isEmpty() || !Files.isRegularFile(file)) {
            return;
        }
        Digest own = new Digest(); // else the end of one file could pass for the start of the next
        try (InputStream in = Files.newInputStream(file)) {
            byte[] chunk = new byte[CHUNK];
            long left = MAX_BYTES;
            for (int n = in.read(chunk); n >= 0 && left > 0; n = in.read(chunk)) {
                own.raw(chunk, n);
                left -= n;
            }
        }
        digest.add(own.hex()).add(String.valueOf(Files.size(file)));
    }
}
