package dev.agentloop.library;

import dev.agentloop.permission.Rule;
import dev.agentloop.permission.Verdict;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.ToolRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tools of a conversation. What is added or removed while a run is under way is offered, or no
 * longer offered, from its next step on. Safe from any thread.
 */
public final class ToolBox {
    private final Map<String, Tool<?>> tools = new LinkedHashMap<>();
    private int changes;

    ToolBox(List<Tool<?>> first) {
        first.forEach(this::add);
    }

    /**
     * Offers one more, behind the others.
     *
     * @throws IllegalArgumentException if there is one of that name
     */
    public synchronized void add(Tool<?> tool) {
        String name = tool.spec().name();
        if (tools.putIfAbsent(name, tool) != null) {
            throw new IllegalArgumentException("there is a tool named " + name + " already");
        }
        changes++;
    }

    /** Offers it no longer; false if there is none of that name. */
    public synchronized boolean remove(String name) {
        boolean had = tools.remove(name) != null;
        changes += had ? 1 : 0;
        return had;
    }

    /**
     * Refuses rules about a tool that is not there: a typing error would leave open what the rule
     * was to close.
     *
     * @throws IllegalArgumentException naming the rule and the tools that there are
     */
    synchronized void check(List<Rule> rules) {
        for (Rule rule : rules) {
            boolean known =
                    rule.tool().contains("*")
                            || tools.containsKey(rule.tool())
                            || tools.values().stream()
                                    .anyMatch(tool -> tool.alsoDoes().contains(rule.tool()));
            if (!known) {
                throw new IllegalArgumentException(
                        "\""
                                + rule
                                + "\" names no tool of this loop; there are "
                                + tools.keySet()
                                + ". A rule for tools that are added later has a * in their name.");
            }
        }
    }

    /** In the order in which the model sees them. */
    public synchronized List<String> names() {
        return List.copyOf(tools.keySet());
    }

    /** What the tool of that name is made of, for people; empty if there is none. */
    synchronized String className(String name) {
        Tool<?> tool = tools.get(name);
        return tool == null ? "" : tool.getClass().getSimpleName();
    }

    /** Rules that allow the tools of which only their own program knows what they do. */
    synchronized List<Rule> allowed() {
        return tools.values().stream()
                .filter(tool -> tool.subjectKind() == SubjectKind.CALL)
                .flatMap(tool -> Rule.parse(tool.spec().name(), Verdict.ALLOW).stream())
                .toList();
    }

    /** Different whenever the tools are. */
    synchronized int changes() {
        return changes;
    }

    synchronized ToolRegistry registry(Workspace workspace) {
        return new ToolRegistry(List.copyOf(tools.values()), workspace);
    }
}
