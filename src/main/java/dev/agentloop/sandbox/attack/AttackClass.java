package dev.agentloop.sandbox.attack;

import java.util.List;

/**
 * Attacks of one kind: a row in the table of the sandbox's page.
 *
 * @param name of its file
 * @param title for people
 * @param homeIsWorkspace whether the home folder itself is the workspace
 */
public record AttackClass(
        String name, String title, boolean homeIsWorkspace, List<Attack> attacks) {}
