package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Programs that get a program, or the name of one, in an option. */
public final class InlineCode {
    private static final Set<String> AWKS = Set.of("awk", "gawk", "mawk", "nawk");

    private static final int LEAST_PREFIX = 4; // programs take a unique beginning for the option
    private static final int MAX_OPTIONS = 8; // between an entry point and the image
    private static final Pattern SSH_COMMAND =
            Pattern.compile("(?i)(proxy|local|remote|knownhosts|ssh)_?command\\s*[=\\s]");

    private static final Set<String> GO_TOOLS =
            Set.of(
                    ("cover trace asm compile link nm objdump pack addr2line buildid covdata doc"
                                    + " fix test2json vet dist distpack preprofile api")
                            .split(" "));

    private InlineCode() {}

    /**
     * Why it is not known what the command starts, if so.
     *
     * @param name without version, see {@link ProgramKinds#plainName}
     */
    public static Optional<String> unclear(String name, List<String> words) {
        boolean runs =
                switch (name) {
                    case "perl", "ruby", "lua" ->
                            hasLetter(words, 'e') || hasLetter(words, 'E') || hasLetter(words, 'S');
                    case "node", "bun", "deno" ->
                            hasLetter(words, 'e')
                                    || hasLetter(words, 'p')
                                    || words.contains("--eval")
                                    || words.contains("--print");
                    case "php" ->
                            words.stream().anyMatch(word -> word.matches("-[a-zA-Z]*[rBREF].*"));
                    case "git" -> GitCode.runs(words);
                    case "tar", "bsdtar" ->
                            words.stream().anyMatch(InlineCode::isTarRunner)
                                    || isBundle(words)
                                    || isOfHost(words);
                    case "make", "gmake" ->
                            words.stream().anyMatch(word -> word.matches("-f?-|-f?/dev/.*|--.*=-"))
                                    || words.contains("-");
                    case "su", "script", "at", "batch", "crontab" -> true;
                    case "sed" -> !SedScript.runs(words).isEmpty();
                    default -> runsInItsWay(name, words);
                };
        return runs || ProgramKinds.runsInline(name, words)
                ? Optional.of(name + " runs a program given as text")
                : Optional.empty();
    }

    private static boolean runsInItsWay(String name, List<String> words) {
        return name.startsWith("python") && hasLetter(words, 'c')
                || AWKS.contains(name) && AwkScript.runs(words)
                || Carried.setsProgram(name, words)
                || ClientCode.isClient(name)
                        && words.stream().anyMatch(word -> !ClientCode.starts(name, word).isEmpty())
                || switch (name) {
                    case "gcc", "g++", "cc", "c++", "clang", "clang++" ->
                            words.stream().anyMatch(InlineCode::loads);
                    case "go" -> isGoRunner(words);
                    case "gh" -> clonesWith(words);
                    case "npm" -> words.contains("edit");
                    case "yq" ->
                            words.stream()
                                    .anyMatch(word -> word.matches("(?s).*\\bsystem\\s*\\(.*"));
                    case "sbt" ->
                            words.stream().anyMatch(word -> word.matches("(?s)(!|eval\\b).*"));
                    case "mount" -> words.stream().anyMatch(word -> word.matches("(-t)?fuse.*"));
                    case "openssl" -> words.contains("engine");
                    case "cvs", "svn" ->
                            words.stream().anyMatch(word -> word.matches(":ext.*|svn\\+.*"));
                    case "az" -> words.contains("interactive");
                    case "gcloud" -> words.contains("emulators") && words.contains("exec");
                    case "scalar" -> words.contains("run");
                    case "docker", "podman" ->
                            words.stream()
                                    .anyMatch(
                                            word -> word.matches("--(runtime|conmon|hooks-dir).*"));
                    default -> false;
                };
    }

    /** What a compiler, or the linker that it starts, is told to load. */
    private static boolean loads(String word) {
        return word.startsWith("-Wl,") && word.contains("plugin")
                || Set.of("-plugin", "-load", "-cc1", "--config").contains(word)
                || word.startsWith("-load=")
                || word.startsWith("--config=")
                || word.startsWith("-fpass-plugin");
    }

    private static boolean isGoRunner(List<String> words) {
        boolean tool = words.size() > 1 && words.getFirst().equals("tool");
        return words.stream().anyMatch(word -> word.contains("-extld"))
                || tool && !GO_TOOLS.contains(words.get(1));
    }

    /** {@code gh repo clone X -- -c NAME=VALUE}. */
    private static boolean clonesWith(List<String> words) {
        int at = words.indexOf("--");
        return at > 0
                && words.subList(0, at).contains("clone")
                && GitCode.runs(words.subList(at + 1, words.size()));
    }

    /** {@code tar xf HOST:FILE} starts a remote shell, whatever the name is meant to be. */
    private static boolean isOfHost(List<String> words) {
        return !words.contains("--force-local")
                && words.stream()
                        .anyMatch(word -> word.matches("(--file=|-[A-Za-z]*f)?[^-/:][^/:]*:.*"));
    }

    /** Options of tar without a dash: {@code tar cIf PROGRAM FILE}. */
    private static boolean isBundle(List<String> words) {
        return !words.isEmpty() && words.getFirst().matches("[A-Za-z]*[IF][A-Za-z]*");
    }

    /** Whether a program runs code of its language. */
    public static boolean isInterpreter(String name) {
        return name.startsWith("python")
                || Set.of(
                                ("perl ruby lua node bun deno php tclsh wish expect Rscript R julia"
                                                + " groovy jshell irb guile racket sbcl ghci osascript pwsh"
                                                + " powershell gnuplot octave ed ex m4 dc bc make gmake")
                                        .split(" "))
                        .contains(name);
    }

    /** Commands that code of another language may start. */
    public static List<String> commands(String code) {
        return CodeText.commands(code);
    }

    /** Whether git is told to do what it does not do itself: an alias may be anything. */
    public static boolean isOtherVerb(List<String> words) {
        return GitCode.isOtherVerb(words);
    }

    /** Whether a program takes commands of its own, or of a shell, from what it reads. */
    public static boolean isClient(String name) {
        return ClientCode.isClient(name);
    }

    /** What begins in a text with the name of a program. */
    public static List<String> beginnings(String text) {
        return CodeText.beginnings(text);
    }

    /** Texts for a shell among the words. */
    public static List<String> shellTexts(String name, List<String> words) {
        return switch (name) {
            case "su", "script", "flock" -> values(words, 'c', "--command");
            case "npm", "npx", "pnpm", "yarn" -> values(words, 'c', "--call");
            case "env" ->
                    values(words, 'S', "--split-string").stream()
                            .map(text -> text.replace("\\_", " "))
                            .toList();
            case "git" -> GitCode.texts(words);
            case "gh" ->
                    clonesWith(words)
                            ? GitCode.texts(words.subList(words.indexOf("--") + 1, words.size()))
                            : List.of();
            case "ssh", "scp", "ssh-copy-id", "sshfs", "autossh" -> ofSsh(words);
            case "rsync" -> values(words, 'e', "--rsh");
            case "tar", "bsdtar" -> tarTexts(words);
            case "sed" -> SedScript.runs(words);
            case "docker", "podman", "nerdctl" -> entryPoint(words);
            case "awk", "gawk", "mawk", "nawk" -> AwkScript.runs(words) ? ofCode(words) : List.of();
            default -> {
                if (ClientCode.isClient(name)) {
                    yield ofClient(name, words);
                }
                boolean code = isCode(name) || ProgramKinds.runsInline(name, words);
                yield code ? ofCode(words) : List.of();
            }
        };
    }

    private static boolean isCode(String name) {
        return name.startsWith("python")
                || Set.of("perl", "ruby", "lua", "node", "bun", "deno", "php", "sbt", "yq", "ack")
                        .contains(name);
    }

    private static List<String> ofCode(List<String> words) {
        return words.stream().flatMap(word -> CodeText.commands(word).stream()).toList();
    }

    private static List<String> ofClient(String name, List<String> words) {
        List<String> texts = new ArrayList<>(name.equals("sftp") ? ofSsh(words) : List.of());
        words.forEach(word -> texts.addAll(ClientCode.starts(name, word)));
        return texts;
    }

    /** {@code docker run --entrypoint=git IMAGE push}: where the image ends is not known. */
    private static List<String> entryPoint(List<String> words) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean next = word.equals("--entrypoint") && i + 1 < words.size();
            if (next || word.startsWith("--entrypoint=")) {
                String program = next ? words.get(i + 1) : word.substring(word.indexOf('=') + 1);
                int from = next ? i + 2 : i + 1;
                for (int at = from; at < Math.min(words.size(), from + MAX_OPTIONS); at++) {
                    List<String> rest = words.subList(at + 1, words.size());
                    texts.add(program + " " + String.join(" ", rest));
                }
            }
        }
        return texts;
    }

    /** Options may have a blank for the equals sign, and any case. */
    private static List<String> ofSsh(List<String> words) {
        List<String> texts = new ArrayList<>();
        for (String word : words) {
            Matcher matcher = SSH_COMMAND.matcher(word);
            if (matcher.find()) {
                texts.add(word.substring(matcher.end()));
            }
        }
        return texts;
    }

    private static List<String> tarTexts(List<String> words) {
        List<String> texts = new ArrayList<>(values(words, 'I', "--use-compress-program"));
        texts.addAll(values(words, 'F', "--info-script"));
        if (isBundle(words)) {
            texts.addAll(words.subList(1, Math.min(words.size(), 1 + words.getFirst().length())));
        }
        texts.addAll(behind(words, "--to-command=", "--checkpoint-action=exec=", "--rsh-command="));
        return texts;
    }

    /** What follows one of these in a word, wherever it stands there. */
    private static List<String> behind(List<String> words, String... marks) {
        List<String> texts = new ArrayList<>();
        for (String word : words) {
            for (String mark : marks) {
                int at = word.indexOf(mark);
                if (at >= 0) {
                    texts.add(word.substring(at + mark.length()));
                }
            }
        }
        return texts;
    }

    /** Values of an option: in the next word, or behind the letter or an equals sign. */
    static List<String> values(List<String> words, char letter, String name) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean shorts = word.startsWith("-") && !word.startsWith("--");
            int at = shorts ? word.indexOf(letter) : -1;
            int equals = word.indexOf('=');
            if (equals >= LEAST_PREFIX && name.startsWith(word.substring(0, equals))) {
                texts.add(word.substring(equals + 1));
            } else if (at > 0 && at < word.length() - 1) {
                texts.add(word.substring(at + 1));
            } else if ((at > 0 || word.equals(name)) && i + 1 < words.size()) {
                texts.add(words.get(i + 1));
            }
        }
        return texts;
    }

    /** Flags of one dash, where the letter may stand among others. */
    static boolean hasLetter(List<String> words, char letter) {
        return words.stream()
                .anyMatch(word ->
                        word.startsWith("-") && !word.startsWith("--") && word.indexOf(letter) > 0);
    }

    private static boolean isTarRunner(String word) {
        return word.startsWith("--to-c")
                || word.startsWith("--checkpoint-a")
                || word.startsWith("--use-c")
                || word.startsWith("-I")
                || word.startsWith("--rsh");
    }
}
