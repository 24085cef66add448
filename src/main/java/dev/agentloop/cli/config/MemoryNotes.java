package dev.agentloop.cli.config;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.memory.Memory;
import dev.agentloop.memory.Memory.About;
import dev.agentloop.memory.MemoryUpdate;
import dev.agentloop.memory.Notes;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** The notes of a workspace for their owner; apart from the command, which each start loads. */
final class MemoryNotes {
    private final Memory memory;
    private final Invocation invocation;

    MemoryNotes(ParseResult arguments, Invocation invocation) throws UsageException, IOException {
        this.memory = memory(arguments, invocation);
        this.invocation = invocation;
    }

    /**
     * Does one of list, show, confirm and forget.
     *
     * @param id of the note that the last two are about
     */
    void act(String action, String id, boolean json) throws UsageException, IOException {
        switch (action) {
            case "list" -> invocation.streams().print(json ? object(memory) : lines(memory));
            case "show" -> invocation.streams().print(SafeText.block(files(memory)));
            case "confirm" -> confirm(memory, id, invocation);
            default -> forget(memory, id, invocation);
        }
    }

    private static Memory memory(ParseResult arguments, Invocation invocation)
            throws UsageException, IOException {
        RunPreparation.Alone found = RunPreparation.loadForTools(arguments, invocation);
        String agent = RunOption.AGENT.text(arguments);
        boolean own =
                found.loaded()
                        .config()
                        .agent(agent)
                        .flatMap(AgentProfile::memory)
                        .equals(Optional.of("own"));
        Path folder = invocation.state().resolve("memory");
        return new Memory(
                own ? folder.resolve("agents").resolve(agent) : folder,
                found.files().root(),
                found.loaded().config().memory().maxBytes());
    }

    private static String lines(Memory memory) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (About about : About.values()) {
            for (Notes.Note note : memory.notes(about).all()) {
                lines.append(note.id()).append("  [").append(about.word()).append("]  ");
                lines.append(SafeText.line(note.text())).append('\n');
            }
        }
        return lines.isEmpty() ? "There is no note for this workspace.\n" : lines.toString();
    }

    private static String object(Memory memory) throws IOException {
        List<Object> notes = new ArrayList<>();
        for (About about : About.values()) {
            for (Notes.Note note : memory.notes(about).all()) {
                notes.add(Map.of("id", note.id(), "about", about.word(), "text", note.text()));
            }
        }
        return Json.text(new JsonValue(Map.of("notes", notes))::writeTo) + "\n";
    }

    private static String files(Memory memory) throws IOException {
        StringBuilder text = new StringBuilder();
        for (About about : About.values()) {
            String notes = memory.notes(about).text();
            text.append(memory.path(about)).append(notes.isEmpty() ? ": nothing\n" : ":\n");
            text.append(notes.isEmpty() || notes.endsWith("\n") ? notes : notes + "\n");
        }
        return text.toString();
    }

    private static void forget(Memory memory, String id, Invocation invocation)
            throws UsageException, IOException {
        for (About about : About.values()) {
            Optional<Notes.Note> note = find(memory, about, id);
            if (note.isPresent()) {
                change(memory, about, new MemoryUpdate.Remove(id));
                invocation.streams().print("forgot: " + SafeText.line(note.get().text()) + "\n");
                return;
            }
        }
        throw new UsageException("there is no note " + id + "; agent memory list names all.");
    }

    /** Added where it is believed before it goes: killed in between, it is there twice. */
    private static void confirm(Memory memory, String id, Invocation invocation)
            throws UsageException, IOException {
        Notes.Note note =
                find(memory, About.UNCONFIRMED, id)
                        .orElseThrow(() ->
                                new UsageException(
                                        "there is no unconfirmed note "
                                                + id
                                                + "; agent memory list names all."));
        change(memory, About.WORKSPACE, new MemoryUpdate.Add(note.text()));
        change(memory, About.UNCONFIRMED, new MemoryUpdate.Remove(id));
        invocation.streams().print("confirmed: " + SafeText.line(note.text()) + "\n");
    }

    private static Optional<Notes.Note> find(Memory memory, About about, String id)
            throws IOException {
        return memory.notes(about).all().stream().filter(note -> note.id().equals(id)).findFirst();
    }

    private static void change(Memory memory, About about, MemoryUpdate update)
            throws UsageException, IOException {
        try {
            memory.want(about, update);
        } catch (Notes.Refused e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        List<String> failures = memory.sync();
        if (!failures.isEmpty()) {
            throw new UsageException(String.join("; ", failures));
        }
    }
}
