package dev.agentloop.shell;

import java.util.ArrayList;
import java.util.List;

/** A program whose first operands say what it does, as {@code git -C x push}. */
final class Subcommand {
    private final List<String> operands = new ArrayList<>();
    private final List<String> words;

    private Subcommand(List<String> words) {
        this.words = words;
    }

    static Subcommand of(SimpleCommand command) {
        return read(command, false);
    }

    /**
     * All that the words may mean: whether an option that is not known takes the next word as its
     * value cannot be seen, so {@code npm --x silent publish} has two readings.
     */
    static List<Subcommand> readings(SimpleCommand command) {
        Subcommand usual = of(command);
        Subcommand other = read(command, true);
        return usual.operands.equals(other.operands) ? List.of(usual) : List.of(usual, other);
    }

    /**
     * @param consuming whether unknown options before the first operand take the next word
     */
    private static Subcommand read(SimpleCommand command, boolean consuming) {
        List<String> words = command.texts();
        List<String> withValue = optionsWithValue(command.name());
        Subcommand result = new Subcommand(words);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean option = word.startsWith("-") || word.startsWith("+");
            boolean takes = consuming && result.operands.isEmpty() && !word.contains("=");
            if (withValue.contains(word) || option && takes) {
                i++;
            } else if (!option) {
                result.operands.add(word);
            }
        }
        return result;
    }

    /** Options of the program itself: their value is no operand. */
    private static List<String> optionsWithValue(String name) {
        return switch (name) {
            case "git" -> List.of("-C", "-c", "--git-dir", "--work-tree", "--namespace");
            case "docker", "podman" -> List.of("-H", "--host", "--context", "--config", "-l", "-f");
            case "kubectl", "helm" ->
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
            default -> List.of();
        };
    }

    /** The n-th operand from 0; empty if there are fewer. */
    String operand(int n) {
        return n < operands.size() ? operands.get(n) : "";
    }

    String verb() {
        return operand(0);
    }

    boolean is(String... expected) {
        for (int i = 0; i < expected.length; i++) {
            if (!operand(i).equals(expected[i])) {
                return false;
            }
        }
        return true;
    }

    List<String> operands() {
        return operands;
    }

    boolean has(String option) {
        return words.contains(option);
    }

    boolean hasAnyWith(String prefix) {
        return words.stream().anyMatch(word -> word.startsWith(prefix));
    }

    /** Whether a letter stands among short options: {@code f} in {@code -df}. */
    boolean hasFlag(char letter) {
        return words.stream().anyMatch(word -> isFlag(word, letter));
    }

    static boolean isFlag(String word, char letter) {
        return word.startsWith("-") && !word.startsWith("--") && word.indexOf(letter) > 0;
    }
}
