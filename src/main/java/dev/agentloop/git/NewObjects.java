package dev.agentloop.git;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Objects that git makes in a private folder, and that come to the repository as one pack. Git
 * would follow a link among the folders of the repository's objects, and a command of another task
 * may make one at any moment: so the pack is written into folders that are opened one within the
 * other, links refused.
 *
 * @param git asks with the private folder in the place of the repository's objects
 * @param folder the private one
 * @param store the repository's folder of objects
 */
record NewObjects(PrivateGitFolder git, Path folder, Path store) {
    private static final Pattern NAME =
            Pattern.compile("([0-9a-f]{2})/([0-9a-f]{38}|[0-9a-f]{62})");

    /** Brings all of them. */
    void deliver() throws IOException {
        List<String> names = names();
        if (names.isEmpty()) {
            return;
        }
        Path list = Files.write(git.file("objects-made"), names);
        Path said = git.file("pack-made");
        String stem = git.file("pack").toString();
        git.ask(list, said, List.of("pack-objects", "-q", stem))
                .required("the objects of the work cannot be packed");
        String name = "pack-" + Files.readString(said).strip();
        for (String ending : List.of(".pack", ".rev", ".idx")) { // an index means a whole pack
            Path part = git.file(name + ending);
            if (Files.exists(part)) {
                write(part);
            }
        }
    }

    private List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder, 2)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Matcher name = NAME.matcher(folder.relativize(file).toString());
                if (name.matches()) {
                    names.add(name.group(1) + name.group(2));
                }
            }
        }
        return names;
    }

    private void write(Path part) throws IOException {
        Path above = store.getParent();
        if (above == null) {
            throw new FileSystemException(store.toString(), null, "is no folder of objects");
        }
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(above)) {
            if (!(opened instanceof SecureDirectoryStream<Path> repository)) {
                throw new FileSystemException(
                        store.toString(), null, "the system opens no folders");
            }
            try (SecureDirectoryStream<Path> objects =
                            repository.newDirectoryStream(
                                    store.getFileName(), LinkOption.NOFOLLOW_LINKS);
                    SecureDirectoryStream<Path> packs = packs(objects)) {
                copy(part, packs);
            }
        }
    }

    /** A named pipe in its place would hold up whoever opens it. */
    private static SecureDirectoryStream<Path> packs(SecureDirectoryStream<Path> objects)
            throws IOException {
        Path name = Path.of("pack");
        boolean folder =
                objects.getFileAttributeView(
                                name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes()
                        .isDirectory();
        if (!folder) {
            throw new FileSystemException("pack", null, "is no folder");
        }
        return objects.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    }

    private static void copy(Path part, SecureDirectoryStream<Path> packs) throws IOException {
        try (SeekableByteChannel out =
                packs.newByteChannel(
                        part.getFileName(),
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("r--r--r--")))) {
            Files.copy(part, Channels.newOutputStream(out));
        } catch (FileAlreadyExistsException e) {
            return; // its name says what it holds
        }
    }
}
