package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;

/** A program whose first operands say what it does, as {@code git -C x push}. */
public final class Subcommand {
    private static final int MAX_READINGS = 8; // nobody writes more options before the verb

    private final List<String> operands = new ArrayList<>();
    private final String name;
    private final List<String> words;

    private Subcommand(String name, List<String> words) {
        this.name = name;
        this.words = words;
    }

    /**
     * The words as the program usually takes them.
     *
     * @param name of the program, without folders
     * @param words those after the program
     */
    public static Subcommand of(String name, List<String> words) {
        List<String> withValue = optionsWithValue(name);
        Subcommand result = new Subcommand(name, words);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (withValue.contains(word)) {
                i++;
            } else if (!isOption(word)) {
                result.operands.add(word);
            }
        }
        return result;
    }

    /**
     * All that the words may mean: whether an option that is not known takes the next word as its
     * value cannot be seen, so {@code npm --x silent publish} has two readings.
     */
    public static List<Subcommand> readings(String name, List<String> words) {
        Subcommand usual = of(name, words);
        List<Subcommand> readings = new ArrayList<>(List.of(usual));
        for (int start : starts(name, words)) {
            Subcommand other = new Subcommand(name, words);
            for (String word : words.subList(start, words.size())) {
                if (!isOption(word)) {
                    other.operands.add(word);
                }
            }
            if (!other.operands.equals(usual.operands) && readings.size() < MAX_READINGS) {
                readings.add(other);
            }
        }
        return readings;
    }

    /** Where the verb may stand: at each word that is no option, up to the first that must be. */
    public static List<Integer> starts(String name, List<String> words) {
        List<String> withValue = optionsWithValue(name);
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (withValue.contains(word)) {
                i++;
            } else if (!isOption(word)) {
                starts.add(i);
                boolean mayBeValue = i > 0 && isOption(words.get(i - 1));
                if (!mayBeValue || words.get(i - 1).contains("=")) {
                    return starts;
                }
            }
        }
        return starts;
    }

    private static boolean isOption(String word) {
        return word.startsWith("-") || word.startsWith("+");
    }

    /** Options of the program itself: their value is no operand. */
    private static List<String> optionsWithValue(String name) {
        return switch (name) {
            case "git" -> List.of("-C", "-c", "--git-dir", "--work-tree", "--namespace");
            case "docker", "podman" -> List.of("-H", "--host", "--context", "--config", "-l", "-f");
            case "docker-compose", "podman-compose" ->
                    List.of("-f", "--file", "-p", "--project-name", "--profile", "--env-file");
            case "kubectl", "helm", "oc" ->
                    List.of(
                            "-n",
                            "--namespace",
                            "--context",
                            "--kubeconfig",
                            "-s",
                            "--server",
                            "-f");
            case "npm", "pnpm", "yarn" -> List.of("--prefix", "-w", "--workspace", "-C", "--cwd");
            case "gh", "glab" -> List.of("-R", "--repo");
            case "cargo" -> List.of("--manifest-path", "--config", "-Z", "-p");
            case "mvn", "mvnw" -> List.of("-f", "-pl", "-s", "-P", "--file", "-T");
            case "aws" -> List.of("--profile", "--region", "--endpoint-url", "--output");
            default -> List.of();
        };
    }

    /** The n-th operand from 0; empty if there are fewer. */
    public String operand(int n) {
        return n < operands.size() ? operands.get(n) : "";
    }

    /** The first operand. */
    public String verb() {
        return operand(0);
    }

    /** Whether the first operands are these. */
    public boolean is(String... expected) {
        for (int i = 0; i < expected.length; i++) {
            if (!operand(i).equals(expected[i])) {
                return false;
            }
        }
        return true;
    }

    /** The words that are neither options nor, as far as known, their values. */
    public List<String> operands() {
        return operands;
    }

    /** Whether this word is there. */
    public boolean has(String option) {
        return words.contains(option);
    }

    /** Whether a word begins so. */
    public boolean hasAnyWith(String prefix) {
        return words.stream().anyMatch(word -> word.startsWith(prefix));
    }

    /** Whether a letter stands among short options: {@code f} in {@code -df}. */
    public boolean hasFlag(char letter) {
        return words.stream().anyMatch(word -> isFlag(word, letter));
    }

    /** Whether a word is a cluster of short options with this letter. */
    public static boolean isFlag(String word, char letter) {
        return word.startsWith("-") && !word.startsWith("--") && word.indexOf(letter) > 0;
    }

    String name() {
        return name;
    }

    List<String> words() {
        return words;
    }
}
