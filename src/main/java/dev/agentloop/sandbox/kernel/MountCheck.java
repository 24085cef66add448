package dev.agentloop.sandbox.kernel;

import dev.agentloop.sandbox.kernel.MountTable.Mount;
import dev.agentloop.sandbox.kernel.MountTable.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares what bubblewrap has mounted with what it was told to. It goes by paths and follows
 * links, and a command that runs meanwhile may put a link in the place of a folder on the way: then
 * something else would be mounted, or elsewhere.
 */
public final class MountCheck {
    /** Where bubblewrap and the kernel mount more by themselves. */
    private static final List<String> OF_KERNEL = List.of("/dev", "/proc");

    private final Map<String, List<WantedMount>> byTarget = new HashMap<>(); // the topmost last
    private final Map<String, Optional<Source>> sources = new HashMap<>(); // by where they are
    private final Set<String> uncovered = new LinkedHashSet<>();
    private final Map<String, List<Source>> ofMachine; // by where they are mounted
    private final List<WantedMount> withMore; // folders in which the machine has mounted something

    /**
     * @param wanted in the order of bubblewrap; a later one covers earlier ones
     * @param machine what is mounted for bubblewrap itself
     */
    public MountCheck(List<WantedMount> wanted, MountTable machine) {
        List<WantedMount> all = wanted.stream().map(WantedMount::asBytes).toList();
        this.ofMachine =
                machine.mounts().stream()
                        .collect(
                                Collectors.groupingBy(
                                        Mount::point,
                                        Collectors.mapping(Mount::source, Collectors.toList())));
        this.withMore =
                all.stream()
                        .filter(each -> each.how().hasSource())
                        .filter(each ->
                                ofMachine.keySet().stream()
                                        .anyMatch(point -> MountTable.isIn(point, each.source())))
                        .toList();
        for (WantedMount each : all) {
            byTarget.computeIfAbsent(each.target(), _ -> new ArrayList<>()).add(each);
            sources.computeIfAbsent(each.source(), machine::source);
            uncovered.removeIf(before -> MountTable.isIn(before, each.target()));
            uncovered.add(each.target());
        }
    }

    /** The first place that is not as wanted; empty if all are. */
    public Optional<String> difference(MountTable cell) {
        for (String target : uncovered) {
            WantedMount topmost = byTarget.getOrDefault(target, List.of()).getLast();
            if (cell.at(target).filter(mount -> fits(topmost, mount)).isEmpty()) {
                return Optional.of(target);
            }
        }
        return cell.mounts().stream()
                .filter(mount -> !isWanted(mount) && !isOfKernel(mount) && !isBelow(mount))
                .map(Mount::point)
                .findFirst();
    }

    /** Whether it is one of those wanted there; another may cover it. */
    private boolean isWanted(Mount mount) {
        return byTarget.getOrDefault(mount.point(), List.of()).stream()
                .anyMatch(each -> fits(each, mount));
    }

    private boolean fits(WantedMount each, Mount mount) {
        Optional<Source> source = sources.getOrDefault(each.source(), Optional.empty());
        boolean isSource = source.filter(mount.source()::equals).isPresent();
        return switch (each.how()) {
            case BIND -> isSource;
            case READ_ONLY -> isSource && mount.readOnly();
            case EMPTY, DEVICES -> mount.type().equals("tmpfs");
            case PROCESSES -> mount.type().equals("proc");
        };
    }

    private static boolean isOfKernel(Mount mount) {
        return OF_KERNEL.stream().anyMatch(folder -> MountTable.isIn(mount.point(), folder));
    }

    /** Whether it came along with the folder that it is in, and may be written to no more. */
    private boolean isBelow(Mount mount) {
        return withMore.stream()
                .filter(each -> mount.readOnly() || each.how() == WantedMount.How.BIND)
                .filter(each -> MountTable.isIn(mount.point(), each.target()))
                .map(each -> MountTable.moved(mount.point(), each.target(), each.source()))
                .anyMatch(
                        point -> ofMachine.getOrDefault(point, List.of()).contains(mount.source()));
    }
}
