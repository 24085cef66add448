package dev.agentloop.sandbox;

import dev.agentloop.sandbox.watch.Watches;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A command in bubblewrap.
 *
 * @param order a byte for bubblewrap, and what the shell in the cell reads
 * @param told whether it was let into the cell, whose mounts are known to be right
 */
record BwrapCommand(BwrapCell cell, AtomicBoolean told, byte[] order, Watches.Before watch)
        implements Confined {
    private static final int MAX_STATUS = 4096; // bytes; the command may have written to it
    private static final int MAX_LINE = 80; // characters

    @Override
    public List<String> argv() {
        return cell.argv();
    }

    @Override
    public Map<String, String> environment() {
        return cell.environment();
    }

    @Override
    public Optional<byte[]> input() {
        return Optional.of(order);
    }

    /** A command in the background may change the tree while bubblewrap mounts it. */
    @Override
    public Optional<String> fault(BooleanSupplier isRunning) throws IOException {
        if (told.get()) {
            return Optional.empty();
        }
        Optional<String> difference = cell.difference(isRunning);
        told.set(difference.isEmpty());
        return difference
                .filter(_ -> isRunning.getAsBoolean())
                .map(place ->
                        place
                                + " is not mounted as it should be: something was moved there just now, or"
                                + " a command in the background has stopped the sandbox. Try again");
    }

    @Override
    public boolean isShell() {
        return true;
    }

    @Override
    public boolean endsAll() {
        return cell.place().isAlone();
    }

    /** The last command ends what others have left before it looks at what was changed. */
    @Override
    public Aftermath end() {
        String said = said();
        cell.discard();
        cell.place().leave();
        List<String> left = new ArrayList<>();
        said.lines().skip(1).filter(line -> !line.isBlank()).forEach(line -> left.add(cut(line)));
        return new Aftermath(told.get(), left, watch.after());
    }

    @Override
    public Optional<String> explanation(String printed, int exitCode) {
        return GitRefusal.in(printed);
    }

    private String said() {
        Path status = cell.files().status();
        try (var in = Files.newInputStream(status)) {
            return new String(in.readNBytes(MAX_STATUS), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return ""; // not even the outer shell could start
        }
    }

    private static String cut(String line) {
        String text = line.strip();
        return text.length() > MAX_LINE ? text.substring(0, MAX_LINE) + "…" : text;
    }
}
