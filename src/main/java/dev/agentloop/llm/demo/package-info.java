/**
 * The embedded {@code demo/scripted} model: a fixed conversation for trying the program without a
 * key and without a network. Every answer says that it is a script.
 *
 * <p>May import: llm, message, control, json.
 */
@NullMarked
package dev.agentloop.llm.demo;

import org.jspecify.annotations.NullMarked;
