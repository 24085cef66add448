package dev.agentloop.wiring.run;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Time;
import dev.agentloop.event.EventSink;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.replay.Tape;
import dev.agentloop.secret.Secrets;
import dev.agentloop.session.Journal;
import dev.agentloop.tool.Person;
import java.util.List;
import java.util.Map;

/**
 * What a run is placed into: who listens, who is asked, what time it is, where it is recorded.
 *
 * @param attended whether a person is there while it runs
 * @param where under what circumstances the policy decides
 * @param always rules that a person has said always hold here
 * @param servers the MCP servers that have started
 * @param tape between the run and its ports
 */
public record RunSurroundings(
        EventSink events,
        Approver approver,
        Person person,
        Cancellation interrupts,
        Time time,
        Journal journal,
        ProcessRunner processes,
        Map<String, String> environment,
        Secrets secrets,
        boolean attended,
        Circumstances where,
        List<String> always,
        McpServers servers,
        Tape tape) {}
