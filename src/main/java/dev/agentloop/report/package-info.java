/** What several runs have come to, as a page for people. */
@NullMarked
package dev.agentloop.report;

import org.jspecify.annotations.NullMarked;
