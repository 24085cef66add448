package dev.agentloop.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.TreeSet;

/**
 * What an approval of a server is bound to: its name, its command line or address, the names of its
 * variables or headers, and the content of every file that the command line names, such as the
 * program itself and the script it runs. Values of variables may change, a token often does.
 */
public final class Fingerprint {
    private static final int CHUNK = 1 << 16;

    private Fingerprint() {}

    /**
     * The fingerprint of a server.
     *
     * @param workspace what relative paths start from
     */
    public static String of(ServerSpec spec, Path workspace) throws IOException {
        Digest digest = new Digest().add(spec.name());
        switch (spec.way()) {
            case ServerSpec.Program(var argv, var environment) -> {
                for (String word : argv) {
                    digest.add(word);
                    content(digest, word, workspace);
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
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                own.raw(chunk, n);
            }
        }
        digest.add(own.hex());
    }
}
