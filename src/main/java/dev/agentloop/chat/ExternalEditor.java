package dev.agentloop.chat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The editor that the user's environment names: {@code VISUAL}, {@code EDITOR}, else vi. */
public final class ExternalEditor {
    private final String command;

    public ExternalEditor(Map<String, String> environment) {
        String visual = environment.getOrDefault("VISUAL", "");
        String editor = environment.getOrDefault("EDITOR", "");
        this.command = !visual.isBlank() ? visual : !editor.isBlank() ? editor : "vi";
    }

    /**
     * Lets the person edit a text; waits until the editor has ended.
     *
     * @return the text as it was saved, without the line end that editors add
     * @throws IOException if the editor cannot be started or says that it failed
     */
    public String edit(String text) throws IOException {
        Path file = Files.createTempFile("agent-task-", ".md"); // for its owner only
        try {
            Files.writeString(file, text);
            List<String> argv = List.of("/bin/sh", "-c", command + " \"$1\"", "editor", "" + file);
            int exit = new ProcessBuilder(argv).inheritIO().start().waitFor();
            if (exit != 0) {
                throw new IOException(command + ": exit code " + exit);
            }
            String edited = Files.readString(file);
            return edited.endsWith("\n") ? edited.substring(0, edited.length() - 1) : edited;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(command + " was interrupted", e);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
