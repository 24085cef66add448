/** Tests of the package of the same name. */
@NullMarked
package dev.agentloop.web;

import org.jspecify.annotations.NullMarked;
