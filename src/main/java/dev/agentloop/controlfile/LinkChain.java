package dev.agentloop.controlfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Where a name leads, as the kernel finds it.
 *
 * @param links all that were followed, also those of folders on the way
 * @param target what is meant in the end; it need not exist, then whoever writes there makes it
 */
public record LinkChain(List<Link> links, Path target) {
    private static final int MOST = 40; // as Linux
    private static final int LONGEST = 4096; // bytes of a path, as Linux
    private static final int MOST_PARTS =
            LONGEST; // of all links together; each may be a system call

    /**
     * A symbolic link on the way to a file.
     *
     * @param path of the link, its folder without links
     * @param text what it holds
     */
    public record Link(Path path, String text) {
        /** Whether it is still there and holds the same. */
        public boolean isThere() {
            return text(path).equals(text);
        }

        private static String text(Path path) {
            try {
                return Files.readSymbolicLink(path).toString();
            } catch (IOException | UnsupportedOperationException e) {
                return ""; // gone, or no link any more
            }
        }
    }

    public LinkChain {
        links = List.copyOf(links);
    }

    /**
     * From a folder to a name in it. What is longer than the kernel would follow ends on the way:
     * then the target is where.
     *
     * @param folder a real path
     * @param name relative to the folder
     */
    public static LinkChain of(Path folder, Path name) {
        List<Link> links = new ArrayList<>();
        Deque<String> open = new ArrayDeque<>();
        name.forEach(part -> open.add(part.toString()));
        Path at = folder;
        for (int walked = 0; !open.isEmpty() && walked < MOST_PARTS; walked++) {
            String part = open.removeFirst();
            if (part.equals("..")) {
                at = at.getParent() == null ? at : at.getParent();
            } else if (!part.isEmpty() && !part.equals(".")) {
                at = at.resolve(part);
                String text = Link.text(at);
                if (!text.isEmpty() && links.size() == MOST || at.toString().length() > LONGEST) {
                    break;
                }
                if (!text.isEmpty()) {
                    links.add(new Link(at, text));
                    Path to = Path.of(text);
                    List<String> parts = new ArrayList<>();
                    to.forEach(one -> parts.add(one.toString()));
                    parts.reversed().forEach(open::addFirst);
                    at = to.isAbsolute() || at.getParent() == null ? at.getRoot() : at.getParent();
                }
            }
        }
        return new LinkChain(links, at);
    }

    /** Whether the file to which the links lead exists. */
    public boolean exists() {
        return Files.exists(target, LinkOption.NOFOLLOW_LINKS);
    }
}
