package dev.agentloop.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.shell.parse.SimpleCommand;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WrappersTest {
    @ParameterizedTest
    @Tag("D20")
    @DisplayName("the command inside a wrapper is seen")
    @ValueSource(
            strings = {
                "env rm x",
                "env -i -u A CI=1 rm x",
                "env -S 'rm x'",
                "sudo -n -u root rm x",
                "sudo CI=1 rm x",
                "sudo --unknown rm x",
                "doas rm x",
                "nice -n 5 rm x",
                "nice -5 rm x",
                "timeout -k 5 5s rm x",
                "nohup rm x &",
                "setsid -w rm x",
                "stdbuf -oL rm x",
                "ls | xargs -n 1 rm x",
                "watch -n 1 rm x",
                "find . -name a -exec rm x ;",
                "find . -ok rm x +",
                "parallel rm x",
                "sh -c 'rm x'",
                "sh -c 'ls; rm x'",
                "bash -lc 'rm x'",
                "bash -o pipefail -c 'rm x'",
                "sh -ec 'rm x'",
                "busybox sh -c 'rm x'",
                "ssh -p 22 h rm x",
                "ssh h 'ls; rm x'",
                "env nice timeout 5 sh -c 'sudo rm x'",
                "/usr/bin/env rm x",
                "command -p rm x",
                "exec -a y rm x",
                "su -c 'rm x'",
                "sh <<'E'\nrm x\nE",
                "git bisect run rm x",
                "git submodule foreach rm x",
                "git rebase -x 'rm x'",
                "git rebase --exec 'rm x' main",
                "git rebase '--exec=rm x' main",
                "env - rm x",
                "env --split-string='rm x'",
                "env '-Srm x'",
                "script -qc 'rm x' /dev/null",
                "script -q -c 'rm x' log",
                "script '--command=rm x' log",
                "su '--command=rm x' root",
                "ssh -o 'ProxyCommand=rm x' host",
                "ssh '-oProxyCommand=rm x' host",
                "tar xf a.tar '--to-command=rm x'",
                "tar -xf a.tar '--checkpoint-action=exec=rm x' --checkpoint=1",
                "tar -I 'rm x' -xf a",
                "npx rm x",
                "npm exec -- rm x",
                "npm exec -c 'rm x'",
                "flock l -c 'rm x'",
                "git -c 'alias.x=!rm x' x",
                "git -c core.sshCommand='rm x' fetch",
                "git '-ccore.pager=rm x' log",
                "git difftool -x 'rm x'",
                "ssh -o 'proxycommand rm x' host",
                "script '--comm=rm x'",
                "rsync '--rs=rm x' a b",
                "uv run rm x",
                "poetry run rm x",
                "bundle exec rm x",
                "docker run -v .:/w alpine rm x",
            })
    void unwrapped(String line) {
        CommandFacts facts = Shells.facts(line);
        List<String> texts = facts.reading().commands().stream().map(SimpleCommand::text).toList();

        assertTrue(texts.contains("rm x"), texts::toString);
        assertTrue(texts.size() > 1, "the wrapper is a command as well");
    }

    @ParameterizedTest
    @Tag("D20")
    @DisplayName("what a wrapper runs cannot always be known")
    @ValueSource(
            strings = {
                "echo x | sh",
                "bash -s",
                "ls | xargs",
                "bash -i",
                "python3 -c 1",
                "perl -ne 1",
                "node -e 1",
                "awk 'BEGIN{system(\"x\")}'",
                "tar --to-command=x",
                "git -c alias.x=!y x",
                "sh -c \"$x\"",
            })
    void unknown(String line) {
        Shells.seen(line);
    }

    @Test
    @Tag("D20")
    @DisplayName("a wrapper and its command are both to be allowed")
    void clearWrappers() {
        assertEquals(List.of("timeout 5 npm test", "npm test"), Shells.clear("timeout 5 npm test"));
        assertEquals(
                List.of("sh -c 'npm test && ls'", "npm test", "ls"),
                Shells.clear("sh -c 'npm test && ls'"));
        assertEquals(List.of("bash build.sh -x"), Shells.clear("bash build.sh -x"));
    }
}
