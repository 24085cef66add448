package dev.agentloop.git;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which commit a person means by a name: a branch or tag, or the whole name of a commit, and from
 * there back along parents. Every step is taken over objects whose names were computed anew.
 *
 * @param name of a branch, tag or commit, as the person has written it
 * @param ref the branch or tag as the repository calls it, e.g. refs/remotes/origin/main; empty if
 *     it was a commit
 * @param value what that said; the name of a commit or of a tag
 * @param commit that is meant
 */
record Revision(String name, String ref, String value, String commit) {
    private static final Pattern WORDS = Pattern.compile("([^~^:{}]+)((?:[~^]\\d{0,5})*)");
    private static final Pattern STEP = Pattern.compile("([~^])(\\d*)");

    /** FETCH_HEAD and its like; only HEAD itself is the user's own. */
    private static final Pattern WRITTEN = Pattern.compile("[A-Z_]+_HEAD\\b");

    /** All that git says, with LC_ALL=C; with more before it an object is broken. */
    private static final Pattern ABSENT = Pattern.compile("(fatal: )?Needed a single revision\\.?");

    private static final String COMMIT = "^{commit}";
    private static final String AMBIGUOUS = "is ambiguous"; // in all versions, with LC_ALL=C

    static Revision of(PrivateGitFolder folder, ObjectReader objects, String words)
            throws IOException {
        Matcher parts = WORDS.matcher(words);
        if (!parts.matches()) {
            throw new IOException(
                    "it is no name of a branch, tag or commit; others say what commands have written");
        }
        String name = parts.group(1);
        String said = verified(folder, words + COMMIT);
        boolean whole = name.length() == said.length() && name.matches("[0-9a-f]+");
        String ref = whole ? "" : fullName(folder, name);
        String value = whole ? name : verified(folder, ref);
        String commit = objects.commit(ObjectReader.checked(value, said.length()));
        Matcher step = STEP.matcher(parts.group(2));
        while (step.find()) {
            commit = back(objects, commit, step.group(1).equals("~"), step.group(2));
        }
        if (!commit.equals(said)) {
            throw new IOException("git says " + said + ", but its objects lead to " + commit);
        }
        return new Revision(name, ref, value, commit);
    }

    private static String verified(PrivateGitFolder folder, String words) throws IOException {
        Git.Answer answer = folder.ask(List.of("rev-parse", "--verify", "--end-of-options", words));
        if (ABSENT.matcher(answer.trouble()).matches()) {
            throw new IOException(absent(words.replace(COMMIT, "")));
        }
        if (!answer.complete()) {
            throw new IOException(
                    answer.trouble().isEmpty()
                            ? "git has not answered in time"
                            : answer.trouble().lines().findFirst().orElse(""));
        }
        if (answer.trouble().contains(AMBIGUOUS)) { // a branch of a pull request may have any name
            throw new IOException(
                    "more than one branch or tag is called so; write refs/remotes/… or refs/heads/…");
        }
        return answer.text().strip();
    }

    private static String absent(String words) {
        Matcher parts = WORDS.matcher(words);
        if (WRITTEN.matcher(words).lookingAt()) { // not copied to where git is asked
            return "it is what the last command of git has written; write the name of the branch";
        }
        return parts.matches() && !parts.group(2).isEmpty()
                ? "there is no branch, tag or commit "
                        + parts.group(1)
                        + ", or it has no such parent"
                : "there is no branch, tag or commit of this name";
    }

    private static String fullName(PrivateGitFolder folder, String name) throws IOException {
        Git.Answer answer = folder.ask(List.of("rev-parse", "--symbolic-full-name", name));
        String full = answer.complete() ? answer.text().strip() : "";
        if (!full.equals("HEAD") && !full.startsWith("refs/")) {
            throw new IOException(
                    "it is part of a name; write the whole one of a commit, branch or tag");
        }
        return full;
    }

    /**
     * @param along whether the number counts steps to first parents; else it says which parent
     */
    private static String back(ObjectReader objects, String from, boolean along, String number)
            throws IOException {
        int count = number.isEmpty() ? 1 : Integer.parseInt(number);
        String commit = from;
        int which = along ? 1 : count;
        int steps = along ? count : Math.min(1, count); // "^0" is the commit itself
        for (int i = 0; i < steps; i++) {
            List<String> parents = objects.parents(commit);
            if (parents.size() < which) {
                throw new IOException("commit " + commit + " has no such parent");
            }
            commit = ObjectReader.checked(parents.get(which - 1), from.length());
        }
        return commit;
    }
}
