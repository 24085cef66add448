package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MountPointsTest {
    @Test
    @Tag("B35")
    @DisplayName("file systems that the kernel makes up are told from volumes with files")
    void pseudoFileSystemsAreTold() {
        MountPoints points =
                MountPoints.of(
                        Path.of("/w"),
                        List.of(
                                "22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw",
                                "23 22 0:20 / /proc rw - proc proc rw",
                                "24 22 0:20 / /w/chroot/proc rw shared:5 - proc proc rw",
                                "25 22 0:20 / /w/my\\040sys rw - sysfs sysfs rw",
                                "26 22 8:2 / /w/node_modules rw - ext4 /dev/sdb rw",
                                "not a line of that table"));
        Path proc = Path.of("/w/chroot/proc");
        Path sys = Path.of("/w/my sys");
        assertEquals(Set.of(proc, sys), points.pseudo());
        assertEquals(Set.of(proc, sys, Path.of("/w/node_modules")), points.all());
    }

    @Test
    @Tag("B35")
    @DisplayName("the table of this machine is read")
    void theTableOfThisMachineIsRead() {
        assertEquals(
                Files.exists(Path.of("/proc/self/mountinfo")),
                MountPoints.below(Path.of("/")).pseudo().contains(Path.of("/proc")));
    }
}
