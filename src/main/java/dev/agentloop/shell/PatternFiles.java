package dev.agentloop.shell;

import dev.agentloop.shell.parse.RealPath;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** The files that a pattern of the shell may stand for: those that match, and more. */
final class PatternFiles {
    private static final int MAX_FILES = 1_000; // beyond it the folder stands for them

    private PatternFiles() {}

    /** The files; where the pattern has one for a folder too, the folder above that. */
    static Set<Path> of(Places places, SimpleCommand command, Word word) {
        String text = places.known(word);
        int wild = firstWild(text);
        int slash = text.lastIndexOf('/', wild);
        String folder = slash < 0 ? "." : text.substring(0, slash + 1);
        String name = text.substring(slash + 1);
        Set<Path> files = new LinkedHashSet<>();
        for (Path base : places.of(command, folder)) {
            if (name.indexOf('/') >= 0 || !list(places, base, name, files)) {
                files.add(base);
            }
        }
        return files;
    }

    private static int firstWild(String text) {
        int at = 0;
        while (at < text.length() && "*?[".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    private static boolean list(Places places, Path folder, String pattern, Set<Path> files) {
        if (!Files.isDirectory(folder)) {
            return true;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            int count = 0;
            for (Path entry : entries) {
                places.look();
                if (++count > MAX_FILES) {
                    return false;
                }
                if (mayMatch(pattern, entry.getFileName().toString())) {
                    files.add(entry);
                    files.add(RealPath.of(folder, entry.getFileName().toString()));
                }
            }
            return true;
        } catch (IOException | DirectoryIteratorException e) {
            return false;
        }
    }

    /** What stands before the first wild character and behind the last has to be there. */
    private static boolean mayMatch(String pattern, String name) {
        String before = pattern.substring(0, firstWild(pattern));
        int last = pattern.length();
        while (last > 0 && "*?[]".indexOf(pattern.charAt(last - 1)) < 0) {
            last--;
        }
        return name.startsWith(before) && name.endsWith(pattern.substring(last));
    }
}
