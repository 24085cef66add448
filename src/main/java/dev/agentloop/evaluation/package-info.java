/** What a model says about finished work. */
@NullMarked
package dev.agentloop.evaluation;

import org.jspecify.annotations.NullMarked;
