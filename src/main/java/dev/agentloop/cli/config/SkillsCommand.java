package dev.agentloop.cli.config;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.NewFile;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.SafeText;
import dev.agentloop.skill.CustomCommands;
import dev.agentloop.skill.Skill;
import dev.agentloop.skill.SkillPlaces;
import dev.agentloop.skill.SkillSet;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent skills list|show|new}: skills and commands, without a run. */
public final class SkillsCommand implements Command {
    private static final String USAGE =
            "write agent skills list, agent skills show NAME, agent skills show /COMMAND or agent"
                    + " skills new NAME.";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "skills",
                        "List skills and commands, show one, or begin a skill:"
                                + " list | show NAME | show /COMMAND | new NAME.");
        RunOption.addTo(spec, List.of(RunOption.CONFIG, RunOption.CWD, RunOption.TRUST));
        NewFile.addOptionTo(spec);
        spec.addOption(Specs.flag("list: one JSON object.", "--json"));
        spec.addPositional(Specs.words("list|show|new NAME", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        return act(arguments, invocation, Specs.has(arguments, "--json"));
    }

    private static int act(ParseResult arguments, Invocation invocation, boolean json)
            throws UsageException, IOException {
        List<String> words = Specs.positional(arguments);
        if (words.equals(List.of("list"))) {
            return list(places(arguments, invocation), invocation, json);
        }
        if (words.size() != 2) {
            throw new UsageException(USAGE);
        }
        String name = words.get(1);
        Specs.refuse(arguments, "--json", "skills " + words.getFirst());
        return switch (words.getFirst()) {
            case "show" -> show(name, places(arguments, invocation), invocation);
            case "new" ->
                    NewFile.write(
                            arguments,
                            invocation,
                            name,
                            "skills/" + name + "/" + Skill.FILE,
                            template(name));
            default -> throw new UsageException(USAGE);
        };
    }

    private static SkillPlaces places(ParseResult arguments, Invocation invocation)
            throws UsageException, IOException {
        RunPreparation.Alone found = RunPreparation.loadForTools(arguments, invocation);
        for (String warning : found.loaded().warnings()) {
            invocation.streams().printError(warning + "\n");
        }
        return found.files().skills(invocation, found.loaded().config().workspace());
    }

    /** Exit code 3 if there is something that should be a skill or a command and is none. */
    private static int list(SkillPlaces places, Invocation invocation, boolean json)
            throws IOException {
        SkillSet set = SkillSet.of(places);
        List<String> leftOut = new ArrayList<>(set.leftOut());
        List<CustomCommands.Entry> commands = new CustomCommands(places).entries(leftOut);
        for (String left : leftOut) {
            invocation.streams().printError("left out: " + SafeText.block(left) + "\n");
        }
        invocation.streams().print(json ? object(set, commands) : lines(set, commands));
        return (leftOut.isEmpty() ? ExitCode.SUCCESS : ExitCode.CONFIG_ERROR).code();
    }

    private static String lines(SkillSet set, List<CustomCommands.Entry> commands) {
        StringBuilder lines = new StringBuilder();
        for (Skill skill : set.skills().values()) {
            line(lines, skill.name(), skill.source(), skill.description());
        }
        for (CustomCommands.Entry command : commands) {
            line(lines, "/" + command.name(), command.source(), command.description());
        }
        return lines.isEmpty()
                ? "There is no skill and no command; agent skills new NAME begins a skill.\n"
                : lines.toString();
    }

    private static void line(StringBuilder lines, String name, String source, String text) {
        String line = name + "  [" + source + "]  " + SafeText.line(text);
        lines.append(line.stripTrailing()).append('\n');
    }

    private static String object(SkillSet set, List<CustomCommands.Entry> commands) {
        List<Object> skills = new ArrayList<>();
        for (Skill skill : set.skills().values()) {
            skills.add(
                    Map.of(
                            "name", skill.name(),
                            "source", skill.source(),
                            "description", skill.description(),
                            "folder", skill.folder().toString()));
        }
        List<Object> others = new ArrayList<>();
        for (CustomCommands.Entry command : commands) {
            others.add(
                    Map.of(
                            "name", command.name(),
                            "source", command.source(),
                            "description", command.description()));
        }
        Map<String, Object> all = Map.of("skills", skills, "commands", others);
        return Json.text(new JsonValue(all)::writeTo) + "\n";
    }

    private static int show(String name, SkillPlaces places, Invocation invocation)
            throws UsageException, IOException {
        Optional<String> text;
        if (name.startsWith("/")) {
            text = new CustomCommands(places).text(name.substring(1));
        } else {
            Skill skill = SkillSet.of(places).skills().get(name);
            text =
                    skill == null
                            ? Optional.empty()
                            : Optional.of(
                                    Files.readString(skill.folder().resolve(Skill.FILE)).strip());
        }
        String shown =
                text.orElseThrow(() ->
                        new UsageException(
                                "there is no "
                                        + name
                                        + "; agent skills list names all there are."));
        invocation.streams().print(SafeText.block(shown) + "\n");
        return ExitCode.SUCCESS.code();
    }

    private static String template(String name) {
        return """
        ---
        name: %s
        description: Say in one line which tasks this is for.
        ---
        Say here how such a task is done. Files beside this one belong to the skill.
        """
                .formatted(name);
    }
}
