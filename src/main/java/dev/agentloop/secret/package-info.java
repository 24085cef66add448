/**
 * What must not be shown: finds secrets in texts, masks them in everything that is written, and
 * stands placeholders in their place towards the model.
 *
 * <p>May import: java.base, event, json, message, session. May not import: adapters, cli, wiring.
 */
@NullMarked
package dev.agentloop.secret;

import org.jspecify.annotations.NullMarked;
