package dev.agentloop.sandbox.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.sandbox.kernel.WantedMount.How;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sandbox has mounted is compared with what it was told to. */
class MountCheckTest {
    private static final String MACHINE =
            """
            1 0 8:1 / / rw - ext4 disk rw
            2 1 0:6 / /dev rw - devtmpfs dev rw
            3 1 0:5 / /proc rw - proc proc rw
            """;

    private static final List<WantedMount> WANTED =
            List.of(
                    wanted(How.READ_ONLY, "/", "/"),
                    wanted(How.DEVICES, "/dev", "/dev"),
                    wanted(How.PROCESSES, "/proc", "/proc"),
                    wanted(How.BIND, "/ws", "/ws"),
                    wanted(How.BIND, "/ws/.git/modules/a", "/ws/.git/modules/a"),
                    wanted(How.READ_ONLY, "/ws/.git/modules", "/ws/.git/modules"));

    private static final String ROOT = "10 9 8:1 / / ro - ext4 disk rw\n";
    private static final String DEVICES =
            """
            11 10 0:40 / /dev rw - tmpfs tmpfs rw
            12 11 0:6 /null /dev/null rw - devtmpfs dev rw
            13 11 0:41 / /dev/pts rw - devpts devpts rw
            """;
    private static final String PROCESSES =
            "14 10 0:5 / /proc rw - proc proc rw\n15 14 0:5 /bus /proc/bus ro - proc proc rw\n";
    private static final String WORKSPACE = "16 10 8:1 /ws /ws rw - ext4 disk rw\n";
    private static final String MODULE =
            "17 16 8:1 /ws/.git/modules/a /ws/.git/modules/a rw - ext4 disk rw\n";
    private static final String MODULES =
            "18 16 8:1 /ws/.git/modules /ws/.git/modules ro - ext4 disk rw\n";

    private static final String RIGHT = ROOT + DEVICES + PROCESSES + WORKSPACE + MODULE + MODULES;

    @TempDir Path folder;

    @Test
    @DisplayName("all that was wanted and nothing else is right")
    void right() throws IOException {
        assertEquals(Optional.empty(), difference(RIGHT));
    }

    @Test
    @DisplayName("a folder of the machine that was mounted among the devices is found")
    void amongTheDevices() throws IOException {
        String elsewhere = "17 11 8:1 /home /dev/shm rw - ext4 disk rw\n";

        assertEquals(
                Optional.of("/ws/.git/modules/a"), difference(RIGHT.replace(MODULE, elsewhere)));
        assertEquals(Optional.of("/dev/shm"), difference(RIGHT + elsewhere));
        String device = "19 11 8:1 /home/file /dev/null rw - ext4 disk rw\n";
        assertEquals(Optional.of("/dev/null"), difference(RIGHT + device));
        String kernel = "19 14 8:1 /home /proc/sys rw - ext4 disk rw\n";
        assertEquals(Optional.of("/proc/sys"), difference(RIGHT + kernel));
    }

    @Test
    @DisplayName("what the machine has mounted comes along: read-only, or out of reach")
    void comesAlong() throws IOException {
        String machine = MACHINE + "4 2 0:23 / /dev/shm rw - tmpfs shm rw\n";
        machine += "5 1 0:50 / /data rw - ext4 data rw\n";
        String covered = "20 21 0:23 / /dev/shm rw - tmpfs shm rw\n";
        String below = "21 10 0:6 / /dev ro - devtmpfs dev rw\n" + covered;
        String data = "22 10 0:50 / /data ro - ext4 data rw\n";
        String over = "11 21 0:40 / /dev rw - tmpfs tmpfs rw\n";
        String cell = RIGHT.replace("11 10 0:40 / /dev rw - tmpfs tmpfs rw\n", over) + below + data;

        assertEquals(Optional.empty(), difference(machine, cell));
        assertEquals(
                Optional.of("/data"), difference(machine, cell.replace("/data ro", "/data rw")));
        assertEquals(
                Optional.of("/dev/shm"),
                difference(machine, cell.replace(covered, covered.replace("20 21", "20 11"))));
    }

    @Test
    @DisplayName("a mount that a later one covers must be there, and be what it should be")
    void covered() throws IOException {
        assertEquals(Optional.of("/ws/.git/modules/a"), difference(RIGHT.replace(MODULE, "")));
        assertEquals(
                Optional.of("/ws/.git/modules/a"),
                difference(RIGHT.replace("8:1 /ws/.git/modules/a ", "8:1 /home ")));
        assertEquals(
                Optional.of("/ws/.git/modules"),
                difference(RIGHT.replace("/ws/.git/modules ro", "/ws/.git/modules rw")));
    }

    @Test
    @DisplayName("one mount does not count for two that were wanted")
    void twice() throws IOException {
        assertEquals(Optional.of("/ws"), difference(RIGHT.replace(WORKSPACE, "")));
        assertEquals(
                Optional.of("/ws/.git/modules"),
                difference(RIGHT + "20 16 8:1 /ws /ws rw - ext4 disk rw\n"),
                "it covers what is read-only");
    }

    private Optional<String> difference(String cell) throws IOException {
        return difference(MACHINE, cell);
    }

    private Optional<String> difference(String machine, String cell) throws IOException {
        return new MountCheck(WANTED, table(machine)).difference(table(cell));
    }

    private MountTable table(String lines) throws IOException {
        return MountTable.of(Files.writeString(folder.resolve("mountinfo"), lines));
    }

    private static WantedMount wanted(How how, String source, String target) {
        return new WantedMount(how, source, target, target);
    }
}
