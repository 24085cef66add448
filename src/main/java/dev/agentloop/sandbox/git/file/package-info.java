/** How files of repositories are read, told apart and renamed while commands may change them. */
@NullMarked
package dev.agentloop.sandbox.git.file;

import org.jspecify.annotations.NullMarked;
