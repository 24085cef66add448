package dev.agentloop.skill;

import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.FrontMatter;
import dev.agentloop.prompt.GuidanceReader;
import dev.agentloop.prompt.GuidanceSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The skills of a run: those of the user, those of the project, and those that an {@code AGENTS.md}
 * names. Only headers are read for it.
 *
 * @param skills by name
 * @param leftOut what was found but is none, with the reason, for people
 */
public record SkillSet(Map<String, Skill> skills, List<String> leftOut) {
    /** None; also where nothing was looked for. */
    public static final SkillSet NONE = new SkillSet(Map.of(), List.of());

    private static final int MAX_FILE = 256 * 1024; // bytes of a SKILL.md
    private static final int MAX_SKILLS = 200;
    private static final int MAX_DESCRIPTION = 1024; // characters, as the format has it
    private static final List<String> KEYS = List.of("name", "description");
    private static final List<String> OTHERS =
            List.of("license", "compatibility", "metadata", "allowed-tools");
    private static final Pattern NAME = Pattern.compile("[\\w./-]++"); // possessive: linear

    /** A skill that an {@code AGENTS.md} names: its folder is a part of the project's sources. */
    static final String MENTIONED = "AGENTS.md";

    /** Finds them; of two with one name the user's counts, then the project's own. */
    public static SkillSet of(SkillPlaces places) {
        Finding finding = new Finding();
        finding.inFolder(places.user().resolve("skills"), "user", true);
        places.project()
                .ifPresent(project -> {
                    finding.inFolder(project.folder().resolve("skills"), "project", false);
                    finding.mentioned(project);
                });
        return finding.skills.isEmpty() && finding.leftOut.isEmpty()
                ? NONE
                : new SkillSet(new LinkedHashMap<>(finding.skills), List.copyOf(finding.leftOut));
    }

    /** What stands below the header of a skill. */
    static String body(Skill skill) throws IOException {
        String text = text(skill.folder(), skill.folder().resolve(Skill.FILE));
        return FrontMatter.split(Skill.FILE, text).body();
    }

    /**
     * The text of a file in a skill's folder, through no link.
     *
     * @throws IOException if there is none that can be read; the message says what
     */
    static String text(Path folder, Path file) throws IOException {
        byte[] bytes =
                GuidanceSource.folder(folder)
                        .read(file, MAX_FILE + 1)
                        .orElseThrow(() -> new IOException("no such file"));
        if (bytes.length > MAX_FILE) {
            throw new IOException("larger than 256 KB");
        }
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)) + "";
    }

    private static final class Finding {
        private final Map<String, Skill> skills = new TreeMap<>();
        private final List<String> leftOut = new ArrayList<>();

        /** The user may link folders of skills; a project's link may lead anywhere. */
        void inFolder(Path folder, String source, boolean links) {
            boolean there =
                    links
                            ? Files.isDirectory(folder)
                            : Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
            if (!there) {
                return;
            }
            for (Path one : folders(folder)) {
                boolean own = links || Files.isDirectory(one, LinkOption.NOFOLLOW_LINKS);
                if (own && Files.exists(one.resolve(Skill.FILE), LinkOption.NOFOLLOW_LINKS)) {
                    add(one, source);
                }
            }
        }

        private List<Path> folders(Path folder) {
            List<Path> folders = new ArrayList<>();
            if (Files.exists(folder) && !Files.isDirectory(folder)) {
                leftOut.add(folder + " (no folder)"); // a named pipe would hold up whoever lists it
                return folders;
            }
            try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
                names.forEach(folders::add);
            } catch (IOException e) {
                leftOut.add(folder + " (" + e.getMessage() + ")");
            }
            folders.sort(null);
            return folders.subList(0, Math.min(folders.size(), MAX_SKILLS));
        }

        /** An {@code AGENTS.md} from the root down to the workspace names {@code x/SKILL.md}. */
        void mentioned(SkillPlaces.Project project) {
            Path at = project.root();
            inGuidance(at, project);
            for (Path name : project.root().relativize(project.workspace())) {
                if (!name.toString().isEmpty()) {
                    at = at.resolve(name);
                    inGuidance(at, project);
                }
            }
        }

        private void inGuidance(Path folder, SkillPlaces.Project project) {
            String text = guidance(folder, project.root());
            Matcher word = NAME.matcher(text);
            while (word.find()) {
                String name = word.group().replaceFirst("\\.++$", ""); // the end of a sentence
                if (!name.endsWith("/" + Skill.FILE)) {
                    continue;
                }
                try {
                    Path file = folder.resolve(name).normalize();
                    Path skill = file.getParent();
                    boolean own = file.startsWith(project.root());
                    if (own
                            && skill != null
                            && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                        add(skill, MENTIONED);
                    }
                } catch (InvalidPathException e) {
                    leftOut.add(name + " (no path)");
                }
            }
        }

        private String guidance(Path folder, Path root) {
            for (String name : GuidanceReader.NAMES) {
                try {
                    Optional<byte[]> bytes =
                            GuidanceSource.folder(root).read(folder.resolve(name), 32 * 1024);
                    if (bytes.isPresent()) {
                        return new String(bytes.get(), StandardCharsets.UTF_8);
                    }
                } catch (IOException e) {
                    return ""; // whoever reads guidance says so
                }
            }
            return "";
        }

        private void add(Path folder, String source) {
            try {
                Path real = folder.toRealPath();
                if (source.equals("project") && !real.equals(folder)) {
                    throw new IOException("a link leads there");
                }
                Skill skill = skill(real, String.valueOf(folder.getFileName()), source);
                skills.putIfAbsent(skill.name(), skill);
            } catch (IOException | ConfigException e) {
                String why = String.valueOf(e.getMessage()).replace("\n  ", " ");
                leftOut.add(folder.resolve(Skill.FILE) + " (" + why + ")");
            }
        }

        private static Skill skill(Path folder, String name, String source) throws IOException {
            String place = folder.resolve(Skill.FILE).toString();
            FrontMatter file = FrontMatter.split(place, text(folder, Path.of(place)));
            Map<String, String> header = file.texts(place, KEYS, OTHERS);
            String said = header.getOrDefault("name", name);
            if (!said.equals(name) || !name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")) {
                throw new ConfigException(
                        "name", "is not the folder's, " + name, "Give both one name.", place);
            }
            String description =
                    header.getOrDefault("description", "").replaceAll("\\s+", " ").strip();
            if (description.isEmpty() || description.length() > MAX_DESCRIPTION) {
                throw new ConfigException(
                        "description",
                        description.isEmpty() ? "is missing" : "is longer than 1024 characters",
                        "Say in a line when the skill is wanted.",
                        place);
            }
            return new Skill(name, description, folder, source);
        }
    }
}
