package dev.agentloop.shell;
import java.nio.file.*;
import org.junit.jupiter.api.Test;
final class TmpProbeTest {
    @Test void probe() throws Exception {
        StringBuilder out = new StringBuilder();
        for (String l : Files.readAllLines(Path.of("/tmp/probe.txt"))) {
            if (l.isBlank()) continue;
            CommandFacts f = Shells.facts(Shells.line(l));
            boolean clear = f.reading() instanceof ShellReading.Clear;
            boolean push = Spellings.of(f.reading().commands()).stream().anyMatch(x -> x.startsWith("git push") || x.matches("\uffff.*|git ?\uffff.*|git pu\uffff.*|g\uffff.*"));
            out.append(clear ? "CLEAR " : "      ").append(f.dangers().isEmpty() ? "  " : "D ").append(f.publishes().isEmpty() ? "  " : "P ").append(push ? "deny " : "     ").append(l);
            if (!clear && f.reading() instanceof ShellReading.Unclear u) out.append("   # ").append(u.reason());
            out.append("\n");
        }
        Files.writeString(Path.of("/tmp/probe.out"), out.toString());
    }
}
