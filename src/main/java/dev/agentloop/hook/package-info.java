/**
 * The hooks of a run: what takes part in it at named moments, in the process itself ({@link
 * dev.agentloop.hook.Hook}) or as a command of the user ({@link dev.agentloop.hook.ShellHook}).
 */
@NullMarked
package dev.agentloop.hook;

import org.jspecify.annotations.NullMarked;
