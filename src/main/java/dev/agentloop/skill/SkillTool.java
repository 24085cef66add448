package dev.agentloop.skill;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a skill, or a file that belongs to one, a page at a time. */
public final class SkillTool extends BuiltInTool<SkillTool.Args> {
    private static final int PAGE = 7_000; // characters; results are cut at about 8,000
    private static final int MAX_NAMES = 100;

    private final SkillSet set;

    /**
     * @param set the skills that the model was told of
     */
    public SkillTool(SkillSet set) {
        super("skill", Effect.PURE, Args.class);
        this.set = set;
    }

    /** Which skill, and what of it. */
    public record Args(
            @Doc("Name of the skill") String name,
            @Doc(value = "A file of the skill, default its instructions", optional = true)
                    @Nullable String file,
            @Doc("Go on at this line, from 1") @Nullable Integer offset) {
        public Args {
            if (offset != null && offset < 1) {
                throw new IllegalArgumentException("offset is at least 1");
            }
        }

        int from() {
            return offset == null ? 1 : offset;
        }
    }

    @Override
    public String subject(Args args) {
        return args.name();
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        Skill skill = set.skills().get(args.name());
        if (skill == null) {
            throw ToolException.error(
                    "There is no skill \"%s\". Skills: %s."
                            .formatted(args.name(), String.join(", ", set.skills().keySet())));
        }
        try {
            if (args.file() != null) {
                return ToolResult.ok(page(file(skill, args.file(), context), args));
            }
            String files = args.from() == 1 ? files(skill) : "";
            return ToolResult.ok(page(SkillSet.body(skill), args) + files);
        } catch (IOException | InvalidPathException e) {
            throw ToolException.error("Not read: " + e.getMessage() + "." + files(skill));
        }
    }

    /** Beside the instructions of a folder of sources stands whatever a rule may be about. */
    private static String file(Skill skill, String name, ToolContext context) throws IOException {
        if (skill.source().equals(SkillSet.MENTIONED)) {
            throw new IOException("this skill is a part of the project; use read_file for " + name);
        }
        Path file = skill.folder().resolve(name).normalize();
        Path root = context.workspace().root();
        if (file.startsWith(root)
                && context.workspace().isLeftOut(root, root.relativize(file).toString())) {
            throw new IOException(name + " looks like a secret or is out of this agent's reach");
        }
        if (!file.startsWith(skill.folder())) {
            throw new IOException(name + " is not in the folder of the skill");
        }
        return SkillSet.text(skill.folder(), file);
    }

    /** Whole lines, as many as a result can hold. */
    private static String page(String text, Args args) {
        List<String> lines = text.lines().toList();
        StringBuilder page = new StringBuilder();
        int line = args.from();
        while (line <= lines.size()
                && (page.isEmpty() || page.length() + lines.get(line - 1).length() < PAGE)) {
            page.append(lines.get(line - 1)).append('\n');
            line++;
        }
        return line > lines.size()
                ? page.toString()
                : page + "[more: go on with offset " + line + "]\n";
    }

    private static String files(Skill skill) {
        List<String> names = new ArrayList<>();
        try {
            Files.walkFileTree(skill.folder(), new Names(skill.folder(), names));
        } catch (IOException e) {
            return "";
        }
        names.sort(null);
        return names.isEmpty()
                ? ""
                : "\nFiles of this skill in " + skill.folder() + ":\n" + String.join("\n", names);
    }

    /** Names of plain files besides the instructions. */
    private static final class Names extends SimpleFileVisitor<Path> {
        private final Path folder;
        private final List<String> names;

        Names(Path folder, List<String> names) {
            this.folder = folder;
            this.names = names;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
            String name = folder.relativize(file).toString();
            if (is.isRegularFile() && !name.equals(Skill.FILE)) {
                names.add(name);
            }
            return names.size() < MAX_NAMES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
