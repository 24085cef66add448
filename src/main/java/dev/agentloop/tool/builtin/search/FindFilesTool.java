package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.search.Glob;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds files by the pattern of their name or path. */
public final class FindFilesTool extends FolderTool<FindFilesTool.Args> {
    private static final int LARGE = 1_000; // entries; fewer are walked before find has begun
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\w.-]*(?:\\*[\\w.-]+)*\\*?");

    private final FindProgram program;
    private final int large;
    private volatile @Nullable Path knownAsLarge;

    /**
     * @param path where programs are looked for, as in the variable PATH
     */
    public FindFilesTool(ProcessRunner processes, String path) {
        this(new FindProgram(processes, path), LARGE);
    }

    FindFilesTool(FindProgram program, int large) {
        super("find_files", Args.class);
        this.program = program;
        this.large = large;
    }

    /** What to look for, and where. */
    public record Args(String pattern, @Nullable String path) implements InFolder {
        public Args {
            if (pattern.isBlank()) {
                throw new IllegalArgumentException("pattern is empty");
            }
        }
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path folder = folder(args, context);
        Glob glob = ListFilesTool.parse(args.pattern());
        Search search = new Search(folder, args.pattern(), glob, context);
        boolean stopped = false;
        try {
            search.run();
        } catch (SearchDeadline.Passed e) {
            stopped = true;
        }
        String none =
                "No file matches "
                        + args.pattern()
                        + "."
                        + (search.walk.hasIgnored() || search.hasRules
                                ? " Ignored files were left out."
                                : "");
        return search.found.result(none, stopped, search.walk.unreadable() + search.unreadable);
    }

    /** One call: it walks, and once the tree has shown to be large, asks find for the rest. */
    private final class Search {
        private final Path folder;
        private final Glob glob;
        private final Path root;
        private final int base; // characters of paths before what is seen from the folder
        private final SearchDeadline deadline;
        private final TreeWalk walk;
        private final EntryList found;
        private final String name; // for find
        private int unreadable;
        private boolean hasRules;
        private int seen;
        private String last = "";

        Search(Path folder, String pattern, Glob glob, ToolContext context) {
            this.folder = folder;
            this.glob = glob;
            this.name = lastName(pattern);
            this.root = context.workspace().roots().around(folder);
            this.base = folder.equals(root) ? 0 : root.relativize(folder).toString().length() + 1;
            this.deadline = new SearchDeadline(ListFilesTool.LIMIT, context.cancellation());
            this.walk = new TreeWalk(root, deadline);
            this.found = new EntryList(context.workspace().prefix(root), context.resultChars());
        }

        /** For find: what the last name must match; a star where folders could be within it. */
        private static String lastName(String pattern) {
            List<String> names = List.of(pattern.split("/", -1));
            boolean crosses =
                    names.stream().anyMatch(name -> name.contains("**") && !name.equals("**"));
            String last = names.getLast();
            return !crosses && PLAIN_NAME.matcher(last).matches() ? last : "*";
        }

        void run() throws IOException {
            boolean mayAsk = !walk.crossesFileSystems();
            if (mayAsk && folder.equals(knownAsLarge) && listed()) {
                return;
            }
            boolean[] isLarge = new boolean[1];
            walk.below(
                    folder,
                    entry -> {
                        isLarge[0] = mayAsk && seen++ == large;
                        if (isLarge[0]) {
                            return false;
                        }
                        last = entry.relative();
                        return take(entry);
                    });
            knownAsLarge = isLarge[0] ? folder : knownAsLarge;
            if (isLarge[0] && !listed()) {
                walk.below(folder, entry -> !isNew(entry.relative()) || take(entry));
            }
        }

        private boolean take(TreeWalk.Entry entry) {
            return entry.isFolder() || !matches(entry.relative()) || found.add(entry.relative());
        }

        /** Returns whether find could say what there is. */
        private boolean listed() throws IOException {
            Optional<FindProgram.Listing> listing =
                    program.list(new Ripgrep.Place(root, folder), name, deadline);
            if (listing.isEmpty() || !walk.entered(folder, listing.get().notEntered()).isEmpty()) {
                return false;
            }
            List<String> names =
                    listing.get().files().stream()
                            .filter(name -> isNew(name) && matches(name))
                            .sorted(TreeWalk::compare)
                            .toList();
            Set<String> ruled = listing.get().foldersWithRules();
            walk.names(folder, names, ruled::contains, found::add);
            unreadable = listing.get().unreadable();
            hasRules = listing.get().hasIgnoreFiles();
            return true;
        }

        private boolean isNew(String name) {
            return TreeWalk.compare(last, name) < 0;
        }

        /** Models write the pattern as seen from the root or from the folder; both mean well. */
        private boolean matches(String relative) {
            return glob.matches(deadline.guard(relative))
                    || base > 0 && glob.matches(deadline.guard(relative.substring(base)));
        }
    }
}
