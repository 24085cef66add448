/**
 * What must not be shown: finds secrets in texts, masks them in everything that is written, and
 * stands placeholders in their place towards the model.
 */
@NullMarked
package dev.agentloop.secret;

import org.jspecify.annotations.NullMarked;
