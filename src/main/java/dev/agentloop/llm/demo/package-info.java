/**
 * The embedded {@code demo/scripted} model: a fixed conversation for trying the program without a
 * key and without a network. Every answer says that it is a script.
 */
@NullMarked
package dev.agentloop.llm.demo;

import org.jspecify.annotations.NullMarked;
