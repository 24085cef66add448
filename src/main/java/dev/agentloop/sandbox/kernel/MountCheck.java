package dev.agentloop.sandbox.kernel;

import dev.agentloop.sandbox.kernel.MountTable.Mount;
import dev.agentloop.sandbox.kernel.MountTable.Source;
import java.util.ArrayList;
import java.util.Comparator;
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
 * something else would be mounted, or elsewhere. So each mount that was wanted must be there, also
 * if a later one covers it, and each that is there must be known.
 */
public final class MountCheck {
    /** Devices that bubblewrap shows: the machine's own. */
    private static final Set<String> DEVICES =
            Set.of(
                    "/dev/console",
                    "/dev/full",
                    "/dev/null",
                    "/dev/random",
                    "/dev/tty",
                    "/dev/urandom",
                    "/dev/zero");

    private static final String TERMINALS = "/dev/pts";

    /** Folders of the kernel that bubblewrap makes read-only. */
    private static final Set<String> OF_KERNEL =
            Set.of("/proc/bus", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    private final List<WantedMount> all;
    private final MountTable machine;
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
        this.all = wanted.stream().map(WantedMount::asBytes).toList();
        this.machine = machine;
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
        Set<Mount> left = new LinkedHashSet<>(cell.mounts());
        for (WantedMount each : all) {
            Optional<Mount> found =
                    left.stream()
                            .filter(mount -> isOne(each, mount))
                            .min(Comparator.comparing(mount -> isBelow(mount, cell)));
            if (found.isEmpty()) {
                return Optional.of(each.target());
            }
            left.remove(found.get());
        }
        for (WantedMount each : uncovered) {
            if (each.places().stream().noneMatch(place -> isRight(cell, place))) {
                return Optional.of(each.target());
            }
        }
        return left.stream()
                .filter(mount -> !isOfKernel(mount) && !isBelow(mount, cell))
                .map(Mount::point)
                .findFirst();
    }

    private boolean isOne(WantedMount each, Mount mount) {
        return each.places().contains(mount.point()) && fits(each, mount);
    }

    private boolean isRight(MountTable cell, String place) {
        WantedMount topmost = byPlace.getOrDefault(place, List.of()).getLast();
        return cell.at(place).filter(mount -> fits(topmost, mount)).isPresent();
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

    /** Whether bubblewrap mounts that by itself. */
    private boolean isOfKernel(Mount mount) {
        String point = mount.point();
        return DEVICES.contains(point)
                        && machine.source(point).filter(mount.source()::equals).isPresent()
                || point.equals(TERMINALS) && mount.type().equals("devpts")
                || OF_KERNEL.contains(point) && mount.type().equals("proc");
    }

    /**
     * Whether it came along with the folder that it is in, and may be written to no more. One that
     * is out of reach below others bubblewrap leaves as it was.
     */
    private boolean isBelow(Mount mount, MountTable cell) {
        boolean covered = cell.at(mount.point()).filter(mount::equals).isEmpty();
        return withMore.stream()
                .filter(each -> covered || mount.readOnly() || each.how() == WantedMount.How.BIND)
                .flatMap(each ->
                        each.places().stream()
                                .filter(place -> MountTable.isIn(mount.point(), place))
                                .map(place ->
                                        MountTable.moved(mount.point(), place, each.source())))
                .anyMatch(
                        point -> ofMachine.getOrDefault(point, List.of()).contains(mount.source()));
    }
}
