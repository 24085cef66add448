/** What tests of several packages share: fakes of the ports and scripted servers. */
@NullMarked
package dev.agentloop.testing;

import org.jspecify.annotations.NullMarked;
