/** Commands that try one tool, one permission or one prompt without a model. */
@NullMarked
package dev.agentloop.cli.tool;

import org.jspecify.annotations.NullMarked;
