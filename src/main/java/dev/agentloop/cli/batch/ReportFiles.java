package dev.agentloop.cli.batch;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.terminal.IoErrorText;
import dev.agentloop.html.HtmlPage;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Where the page of a command is to stand. That it can be written is tried before the first run,
 * because what comes of the runs has been paid for.
 *
 * @param files real paths as far as they exist: a run may put links in their place
 */
record ReportFiles(List<Path> files) {
    private static final String FORM = "--report";
    private static final String FILE = "--report-file";
    private static final String PAGE = "html";

    static void addTo(CommandSpec spec) {
        spec.addOption(
                Specs.values(PAGE, "The form of the report: a page to look at. Repeatable.", FORM));
        spec.addOption(
                Specs.values(
                        "FILE",
                        "Write the report here when all has ended, however it did. Repeatable.",
                        FILE));
    }

    static ReportFiles of(ParseResult arguments, Invocation invocation) throws UsageException {
        List<String> forms = Specs.texts(arguments, FORM);
        List<String> names = Specs.texts(arguments, FILE);
        for (String form : forms) {
            if (!form.equals(PAGE)) {
                throw new UsageException(
                        FORM + " " + SafeText.line(form) + ": of several runs there is html only.");
            }
        }
        if (forms.size() > names.size()) {
            throw new UsageException(FORM + " html needs a place: add --report-file FILE.");
        }
        List<Path> files = new ArrayList<>();
        for (String name : names) {
            if (files.size() >= forms.size() && !name.toLowerCase(Locale.ROOT).endsWith(".html")) {
                throw refused(name, "add --report html, or give it a name that ends in .html");
            }
            files.add(tried(name, invocation));
        }
        return new ReportFiles(files);
    }

    private static UsageException refused(String name, String why) {
        return new UsageException(FILE + " " + SafeText.line(name) + ": " + why + ".");
    }

    /** Writes and removes a file beside it: rights, room and kind of the folder are as they are. */
    private static Path tried(String name, Invocation invocation) throws UsageException {
        try {
            Path file = invocation.currentDirectory().resolve(name).toAbsolutePath().normalize();
            Path folder = file.getParent();
            if (name.isBlank() || folder == null || !Files.isDirectory(folder)) {
                throw refused(name, "make its folder first");
            }
            boolean there = Files.exists(file);
            Path real = there ? file.toRealPath() : folder.toRealPath().resolve(file.getFileName());
            if (Files.isSymbolicLink(file)) {
                throw refused(name, "that is a link; name the file itself");
            }
            if (there && !(Files.isRegularFile(real) && Files.isWritable(real))) {
                throw refused(name, "that is no file that you can write to");
            }
            if (there && !isPage(real)) {
                throw refused(name, "that file is no page of ours; remove it first");
            }
            Files.delete(beside(real, ""));
            return real;
        } catch (InvalidPathException e) {
            throw refused(name, "that is no name of a file");
        } catch (IOException e) {
            throw refused(name, "it cannot be written (" + SafeText.line(IoErrorText.of(e)) + ")");
        }
    }

    /** Also an empty file may be replaced. */
    private static boolean isPage(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes(HtmlPage.BEGINNING.length());
            return HtmlPage.BEGINNING.startsWith(new String(first, StandardCharsets.UTF_8));
        }
    }

    /** A new file in the same folder; whatever a run has put there is not followed. */
    private static Path beside(Path file, String text) throws IOException {
        String name = "." + file.getFileName() + "." + Long.toHexString(System.nanoTime());
        return Files.writeString(
                file.resolveSibling(name),
                text,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
    }

    boolean areWanted() {
        return !files.isEmpty();
    }

    /**
     * Writes the page, whole or not at all.
     *
     * @return what went wrong, with where the page is then; empty if nothing did
     */
    static String write(Path file, String page) {
        try {
            Path folder = Objects.requireNonNull(file.getParent());
            if (!folder.toRealPath().equals(folder)) {
                throw new IOException("its folder is a link now");
            }
            Path fresh = beside(file, page);
            try {
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
            return "";
        } catch (IOException e) {
            String why = SafeText.line(file + ": " + IoErrorText.of(e));
            return "The report cannot be written to " + why + elsewhere(page);
        }
    }

    private static String elsewhere(String page) {
        try {
            Path file = Files.createTempFile("agent-report-", ".html");
            return ". It is in " + Files.writeString(file, page);
        } catch (IOException e) {
            return ". It is lost: " + SafeText.line(IoErrorText.of(e));
        }
    }
}
