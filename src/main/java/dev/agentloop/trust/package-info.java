/**
 * What a person has decided about workspaces: which are trusted, with which configuration, and what
 * is always allowed there. Kept outside of every workspace; only the command line writes it, never
 * a tool.
 */
@NullMarked
package dev.agentloop.trust;

import org.jspecify.annotations.NullMarked;
