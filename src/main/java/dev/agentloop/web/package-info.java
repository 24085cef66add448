/** Pages of the web for the model: fetched from public servers only, as Markdown, as data. */
@NullMarked
package dev.agentloop.web;

import org.jspecify.annotations.NullMarked;
