@NullMarked
package dev.agentloop.library;

import org.jspecify.annotations.NullMarked;
