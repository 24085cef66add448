package dev.agentloop.chat;

import java.util.List;

/** What the Tab key knows. */
@FunctionalInterface
public interface Completions {
    /**
     * What the word before the cursor may become, best first; it is not filtered further.
     *
     * @param before the words in front of it on this line
     * @param word what is typed of it so far
     */
    List<Completion> of(List<String> before, String word);

    /**
     * A word that the Tab key offers.
     *
     * @param text the whole word, which stands in the place of what is typed of it
     * @param description shown beside it; may be empty
     * @param whole whether a blank may follow: not behind the name of a folder
     */
    record Completion(String text, String description, boolean whole) {}
}
