/**
 * What a model says about finished work.
 *
 * <p>May import: json. May not import: loop, cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.evaluation;

import org.jspecify.annotations.NullMarked;
