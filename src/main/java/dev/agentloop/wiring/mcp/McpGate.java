package dev.agentloop.wiring.mcp;

import dev.agentloop.config.McpServerConfig;
import dev.agentloop.mcp.McpServer;
import dev.agentloop.trust.ServerApprovals;
import dev.agentloop.trust.ServerApprovals.Approval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether an MCP server may start, and whether its tools are those that were approved. What
 * the user configured is approved by that, as it is when it first starts; what a project brings,
 * and whatever has changed since, a person says yes to. Where nobody can, it is left out.
 */
public final class McpGate {
    private static final String REMEDY = "; agent mcp approve NAME approves it as it is now";

    private final ServerApprovals approvals;
    private final Path workspace;
    private final Asker asker;
    private final List<String> named;

    /**
     * @param named rules of this command line that allow; they may name servers of the user's
     */
    public McpGate(ServerApprovals approvals, Path workspace, Asker asker, List<String> named) {
        this.approvals = approvals;
        this.workspace = workspace;
        this.asker = asker;
        this.named = List.copyOf(named);
    }

    /** Says yes or no for a person. */
    public interface Asker {
        /** For runs without a person: every question stays without an answer. */
        Asker NOBODY = _ -> Optional.empty();

        /** The person's answer to a question of several lines; empty if nobody is there. */
        Optional<Boolean> agrees(String question) throws IOException;

        default boolean isThere() {
            return this != NOBODY;
        }
    }

    /** A server that is to start, as people read it. */
    public record Candidate(McpServerConfig config, String fingerprint, String commandLine) {
        String name() {
            return config.name();
        }
    }

    /** Why it must not start; empty if it may. */
    Optional<String> beforeStart(Candidate candidate) throws IOException {
        boolean project = candidate.config().source() == McpServerConfig.Source.PROJECT;
        boolean user = candidate.config().source() == McpServerConfig.Source.USER;
        if (user && !asker.isThere() && !isNamed(candidate.name())) {
            return Optional.of(
                    "there is no terminal, and this command line does not name it; --allow '"
                            + McpServer.prefix(candidate.name())
                            + "*' does, or its file as --mcp-config");
        }
        Optional<Approval> known = known(candidate);
        if (known.isEmpty()) {
            return project && asker.isThere() ? ask(firstQuestion(candidate)) : Optional.empty();
        }
        if (known.get().fingerprint().equals(candidate.fingerprint())) {
            return Optional.empty();
        }
        return asker.isThere()
                ? ask(changedQuestion(candidate))
                : Optional.of(
                        "its command line, its files or its variables are not those that were"
                                + " approved"
                                + REMEDY.replace("NAME", candidate.name()));
    }

    private boolean isNamed(String server) {
        return named.stream().anyMatch(rule -> rule.startsWith(McpServer.prefix(server)));
    }

    /**
     * Why its tools must not be used; empty if they may, and then they are on record.
     *
     * @param tools digest of each by its name
     */
    Optional<String> afterStart(Candidate candidate, Map<String, String> tools) throws IOException {
        Optional<Approval> known = known(candidate);
        boolean same =
                known.isPresent() && known.get().fingerprint().equals(candidate.fingerprint());
        List<String> news = known.isPresent() ? differences(known.get().tools(), tools) : List.of();
        if (!news.isEmpty()) {
            if (!asker.isThere()) {
                return Optional.of(
                        "its tools are not those that were approved ("
                                + String.join(", ", news)
                                + ")"
                                + REMEDY.replace("NAME", candidate.name()));
            }
            Optional<String> refusal = ask(toolsQuestion(candidate, news));
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        if (!same || !known.get().tools().equals(tools)) {
            approve(candidate, tools);
        }
        return Optional.empty();
    }

    /** From now on it is approved as it is. */
    public void approve(Candidate candidate, Map<String, String> tools) throws IOException {
        approvals.approve(
                candidate.name(), scope(candidate), new Approval(candidate.fingerprint(), tools));
    }

    /** Whether nobody has seen it start before as it is now. */
    boolean isNew(Candidate candidate) throws IOException {
        return known(candidate)
                .map(known -> !known.fingerprint().equals(candidate.fingerprint()))
                .orElse(true);
    }

    private Optional<Approval> known(Candidate candidate) throws IOException {
        return approvals.find(candidate.name(), scope(candidate));
    }

    /** A project's server is another one in each workspace. */
    private String scope(Candidate candidate) {
        return candidate.config().source() == McpServerConfig.Source.PROJECT
                ? workspace.toString()
                : "";
    }

    private Optional<String> ask(String question) throws IOException {
        boolean yes = asker.agrees(question).orElse(false);
        return yes ? Optional.empty() : Optional.of("it was not approved");
    }

    private static String firstQuestion(Candidate candidate) {
        return "The project wants to start the MCP server "
                + candidate.name()
                + ":\n"
                + candidate.commandLine()
                + "Start it, now and as long as it stays as it is?";
    }

    private static String changedQuestion(Candidate candidate) {
        return "The MCP server "
                + candidate.name()
                + " is not what was approved: its command line, its files or its variables have"
                + " changed. It is now:\n"
                + candidate.commandLine()
                + "Start it?";
    }

    private static String toolsQuestion(Candidate candidate, List<String> news) {
        return "The tools of the MCP server "
                + candidate.name()
                + " are not those that were approved: "
                + String.join(", ", news)
                + ".\nUse them?";
    }

    private static List<String> differences(Map<String, String> before, Map<String, String> now) {
        List<String> news = new ArrayList<>();
        now.forEach((name, digest) -> {
            String old = before.get(name);
            if (old == null) {
                news.add("new: " + McpLaunch.plain(name));
            } else if (!old.equals(digest)) {
                news.add("changed: " + McpLaunch.plain(name));
            }
        });
        return news;
    }
}
