package dev.agentloop.sandbox.watch;

import dev.agentloop.control.ParallelTask;
import dev.agentloop.sandbox.git.ConfinedGit;
import dev.agentloop.sandbox.git.GitRecord;
import dev.agentloop.sandbox.git.GitWatch;
import dev.agentloop.sandbox.git.WatchedPlaces;
import dev.agentloop.sandbox.git.file.LookPart;
import dev.agentloop.sandbox.git.settings.UserSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The part of {@link Watches} that looks at one folder: the workspace, or one added to it. */
final class RootWatch {
    private static final String REPOSITORIES = "repositories";
    private static final String CONTROLS = "files that tell other programs what to do";

    private final Path workspace;
    private final List<Path> further;
    private final RunRecord record;
    private final GitRecord lines = new GitRecord();
    private final ControlWatch controls;
    private final GitWatch repositories;
    private boolean toldOfRights;
    private final Set<GitFolder> own = new LinkedHashSet<>(); // as they were when they were found

    /**
     * @param boundaries as seen from the folder
     * @param mounted whether its own repository is protected already
     * @param git in the sandbox of the commands
     * @param record of what a killed run leaves
     */
    RootWatch(Boundaries boundaries, boolean mounted, ConfinedGit git, RunRecord record) {
        this.workspace = boundaries.workspace();
        this.further = new ArrayList<>(boundaries.writable());
        further.addAll(boundaries.added());
        this.record = record;
        this.controls = new ControlWatch(boundaries.seen(), mounted);
        WatchedPlaces places =
                new WatchedPlaces(
                        workspace,
                        boundaries.home(),
                        UserSettings.of(boundaries.home(), boundaries.environment()),
                        further);
        this.repositories = new GitWatch(places, git, Quarantine::putAway);
    }

    /**
     * What was there before a command.
     *
     * @param command by which the record knows it
     * @param failed what could not be looked at
     */
    record Before(
            RootWatch watches,
            Object command,
            Optional<GitWatch.Before> repositories,
            Optional<ControlLook.All> controls,
            List<String> failed) {
        /** What is to be said about what has changed; traps are out of the way by then. */
        List<String> after() {
            List<String> notes = new ArrayList<>();
            List<String> lost = new ArrayList<>(failed);
            ParallelTask<ControlLook.All> now = ParallelTask.start(watches.controls::look);
            repositories.ifPresent(
                    git -> LookPart.run(REPOSITORIES, lost, () -> notes.addAll(git.after())));
            boolean moved = !notes.isEmpty() || lost.size() > failed.size();
            controls.ifPresent(files ->
                    LookPart.run(
                            CONTROLS,
                            lost,
                            () ->
                                    notes.addAll(
                                            watches.controls.after(
                                                    files,
                                                    moved
                                                            ? watches.controls.look()
                                                            : now.result()))));
            notes.addAll(lost);
            notes.addAll(watches.rights());
            notes.addAll(watches.record.end(command));
            return notes.stream().distinct().toList(); // both looks may have opened a folder
        }

        /** No command came of it. */
        void forget() {
            var _ = watches.record.end(command);
        }
    }

    Before before() {
        List<String> failed = new ArrayList<>();
        long began = System.currentTimeMillis();
        ParallelTask<ControlLook.All> files = ParallelTask.start(controls::look);
        Optional<GitWatch.Before> git =
                LookPart.of(REPOSITORIES, failed, () -> repositories.before(own()));
        Optional<ControlLook.All> all = LookPart.of(CONTROLS, failed, files::result);
        Object command = new Object();
        LookPart.run(
                "what a killed run leaves",
                failed,
                () ->
                        failed.addAll(
                                record.begin(
                                        command,
                                        new RunRecord.Looks(
                                                began, all, git.flatMap(lines::text)))));
        return new Before(this, command, git, all, failed);
    }

    /** Told once: else nobody understands why each command fails to write. */
    private synchronized List<String> rights() {
        if (toldOfRights || OrdinaryRights.canWrite(workspace)) {
            return List.of();
        }
        toldOfRights = true;
        return List.of(
                "commands cannot make files in the workspace: its owner or mode does not let this user"
                        + " do it, and in the sandbox root has no more rights than others. Run the"
                        + " agent as the user to whom the workspace belongs, or change its owner");
    }

    /**
     * What a command could change so that it is not found again is remembered: a worktree is left
     * with a pointer that leads elsewhere, but git may still be told where it was.
     */
    private synchronized List<GitWatch.Own> own() {
        Optional<GitFolder> here = GitFolder.of(workspace);
        here.ifPresent(own::add);
        List<GitWatch.Own> stores = new ArrayList<>();
        for (GitFolder git : own) {
            if (isOpen(git, git.store())) {
                stores.add(new GitWatch.Own(git.store(), false, GitWatch.Holds.ALL));
            } else {
                stores.add(new GitWatch.Own(git.store(), true, GitWatch.Holds.SHARED_OBJECTS));
            }
            for (Path part : git.parts()) {
                if (isOpen(git, part)) {
                    stores.add(new GitWatch.Own(part, false, GitWatch.Holds.NOTHING));
                }
            }
        }
        return stores;
    }

    /** Whether commands can write it; what changes elsewhere meanwhile was changed by its owner. */
    private boolean isOpen(GitFolder git, Path store) {
        return git.isWritable(store)
                || store.startsWith(workspace)
                || further.stream().anyMatch(store::startsWith);
    }
}
