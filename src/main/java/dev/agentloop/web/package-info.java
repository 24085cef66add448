/**
 * Pages of the web for the model: fetched from public servers only, as Markdown, as data.
 *
 * <p>May import: control, edit, llm.http, message, tool. May not import: cli, wiring, config,
 * output.
 */
@NullMarked
package dev.agentloop.web;

import org.jspecify.annotations.NullMarked;
