package dev.agentloop.sandbox.kernel;

import dev.agentloop.sandbox.kernel.MountTable.Mount;
import dev.agentloop.sandbox.kernel.MountTable.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Compares what bubblewrap has mounted with what it was told to. It goes by paths and follows
 * links, and a command that runs meanwhile may put a link in the place of a folder on the way: then
 * something else would be mounted, or elsewhere.
 */
public final class MountCheck {
    /** Where bubblewrap and the kernel mount more by themselves. */
    private static final List<String> OF_KERNEL = List.of("/dev", "/proc");

    private final Map<String, List<WantedMount>> byPlace = new HashMap<>(); // the topmost last
    private final Map<String, Optional<Source>> sources = new HashMap<>(); // by where they are
    private final List<WantedMount> uncovered = new ArrayList<>();
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
            for (String place : each.places()) {
                byPlace.computeIfAbsent(place, _ -> new ArrayList<>()).add(each);
                uncovered.removeIf(before ->
                        before.places().stream().anyMatch(one -> MountTable.isIn(one, place)));
            }
            sources.computeIfAbsent(each.source(), machine::source);
            uncovered.add(each);
        }
    }

    /** The first place that is not as wanted; empty if all are. */
    public Optional<String> difference(MountTable cell) {
        for (WantedMount each : uncovered) {
            if (each.places().stream().noneMatch(place -> isRight(cell, place))) {
                return Optional.of(each.target());
            }
        }
        return cell.mounts().stream()
                .filter(mount -> !isWanted(mount) && !isOfKernel(mount) && !isBelow(mount))
                .map(Mount::point)
                .findFirst();
    }

    private boolean isRight(MountTable cell, String place) {
        WantedMount topmost = byPlace.getOrDefault(place, List.of()).getLast();
        return cell.at(place).filter(mount -> fits(topmost, mount)).isPresent();
    }

    /** Whether it is one of those wanted there; another may cover it. */
    private boolean isWanted(Mount mount) {
        return byPlace.getOrDefault(mount.point(), List.of()).stream()
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
                .flatMap(each ->
                        each.places().stream()
                                .filter(place -> MountTable.isIn(mount.point(), place))
                                .map(place ->
                                        MountTable.moved(mount.point(), place, each.source())))
                .anyMatch(
                        point -> ofMachine.getOrDefault(point, List.of()).contains(mount.source()));
    }
}
