package dev.agentloop.shell.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.shell.Shells;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ShellParserTest {
    @ParameterizedTest
    @Tag("D13")
    @DisplayName("each part of a compound command is a command")
    @CsvSource(
            delimiter = '%',
            quoteCharacter = '\u0001',
            value = {
                "echo a && rm x % echo a & rm x",
                "echo a || rm x % echo a & rm x",
                "echo a; rm x; % echo a & rm x",
                "echo a|rm x % echo a & rm x",
                "echo a & rm x % echo a & rm x",
                "echo a\\nrm x\\n % echo a & rm x",
                "(echo a; rm x) % echo a & rm x",
                "{ echo a; rm x; } % echo a & rm x",
                "! echo a && ( (rm x) ) % echo a & rm x",
                "echo a && # why\\n rm x # really % echo a & rm x",
                "(echo a) >out % echo a & >out",
            })
    void compound(String line, String commands) {
        assertEquals(List.of(commands.split(" & ")), Shells.clear(Shells.line(line)));
    }

    @ParameterizedTest
    @Tag("D16")
    @DisplayName("quotes and backslashes are taken away; the normal form has those it needs")
    @CsvSource(
            delimiter = '%',
            quoteCharacter = '\u0001',
            value = {
                "r\\m -rf x % rm -rf x",
                "r''m x % rm x",
                "\"r\"m 'a b' % rm 'a b'",
                "echo   a[TAB]b % echo a b",
                "echo \"a\\\\b\\$c\\\"d\" % echo 'a\\b$c\"d'",
                "echo 'it'\\''s' % echo 'it'\\''s'",
                "echo a#b '#c' % echo 'a#b' '#c'",
                "echo \"foo$\" 5$ % echo 'foo$' '5$'",
                "echo '' % echo ''",
                "echo HEAD~1 stash@{0} {} % echo 'HEAD~1' 'stash@{0}' '{}'",
                "cat ~/x ~ % cat /agent-test/home/x /agent-test/home",
                "mvn test \\[LF] -q % mvn test -q",
                "'if' x % 'if' x",
                "echo a2>b 2>&1 <c % echo a2 >b 2>&1 <c",
            })
    void quoting(String line, String command) {
        String written = line.replace("[TAB]", "\t").replace("[LF]", "\n");

        assertEquals(List.of(command), Shells.clear(written));
    }

    @ParameterizedTest
    @Tag("D14")
    @DisplayName("whoever substitutes or expands is unclear")
    @ValueSource(
            strings = {
                "echo $(rm x)",
                "echo `rm x`",
                "echo \"a $(rm x) b\"",
                "echo \"`rm x`\"",
                "cat <(rm x)",
                "tee >(rm x)",
                "echo $(echo $(rm x))",
                "cat <<E\n$(rm x)\nE\n",
                "cat <<E\n`rm x`\nE\n",
                "echo ${x:-$(rm x)}",
                "echo $((a[$(rm x)]))",
                "echo $[a[$(rm x)]]",
                "[[ x -eq a[$(rm x)] ]]",
                "cat > $(rm x)",
                "A=$(rm x) ls",
                "> `rm x`",
            })
    void substitutions(String line) {
        assertTrue(Shells.seen(line).contains("rm x"), () -> Shells.seen(line).toString());
    }

    @ParameterizedTest
    @Tag("D14")
    @Tag("D16")
    @DisplayName("what cannot be known, or what two shells read differently, is unclear")
    @ValueSource(
            strings = {
                "echo $x",
                "echo \"$x\"",
                "echo ${x@P}",
                "echo ${!x}",
                "test -v 'a[$(id)]'",
                "[ 'a[$(id)]' -eq 1 ]",
                "printf -v 'a[$(id)]' x",
                "printf '%n' PATH",
                "$'\\x72m' x",
                "echo $\"x\"",
                "{rm,-rf,x}",
                "echo {1..3}",
                "r\\\nm x",
                "echo \"a\\\nb\"",
                "echo a\u00a0b",
                "echo a\u200bb",
                "echo a\u202eb",
                "echo a\rrm x",
                "echo a\u0000b",
                "echo a |& cat",
                "echo a &> b",
                "echo a >& b",
                "echo a 12> b",
                "cat <<< x",
                "echo \"a",
                "echo 'a",
                "echo a\\",
                "(echo a",
                "echo a)",
                "{ echo a; ",
                "((a))",
                "ls ~root",
                "echo a=~/b",
                "cat <<E\nx\n",
                "cat <<E 'a\nb'\nx\nE\n",
                "ls ;; rm x",
                "ls && ",
                "; ls",
                "",
                "'' x",
                "* x",
                "echo x > *.c",
                "echo x > /dev/tcp/a/1",
                "%1",
                "-x ls",
                "+ ls",
                "rm *.c",
                "sort *",
                "uniq a*",
                "find * -print",
            })
    void unclear(String line) {
        Shells.seen(line);
    }

    @ParameterizedTest
    @Tag("D17")
    @DisplayName("a variable set is unclear, but for a few that only change how output looks")
    @ValueSource(
            strings = {
                "LD_PRELOAD=x ls",
                "GIT_EXTERNAL_DIFF=x git diff",
                "GIT_SSH_COMMAND=x git fetch",
                "PAGER=x git log",
                "PATH=. ls",
                "BASH_ENV=x bash -c ls",
                "A=1",
                "CI=1",
                "A+=1",
                "a[0]=1",
                "a=(1)",
                "LC_ALL=/tmp/x ls",
                "env LD_PRELOAD=x ls",
                "export PATH=.",
            })
    void assignments(String line) {
        Shells.seen(line);
    }

    @Test
    @Tag("D17")
    @DisplayName("harmless variables")
    void harmlessAssignments() {
        assertEquals(List.of("CI=1 LC_ALL=C npm test"), Shells.clear("CI=1  LC_ALL='C' npm test"));
    }

    @ParameterizedTest
    @Tag("D18")
    @DisplayName("what changes the meaning of later words is unclear; commands in it are seen")
    @ValueSource(
            strings = {
                "ls(){ rm x; }; ls",
                "function ls { rm x; }",
                "alias ls='x'; rm x",
                "trap 'rm x' EXIT",
                "exec rm x",
                "eval 'rm x'",
                "eval rm x",
                "source a; rm x",
                ". ./a; rm x",
                "command rm x",
                "builtin eval; rm x",
                "enable -f a b; rm x",
                "coproc rm x",
                "time -v rm x",
                "for f in a; do rm x; done",
                "while true; do rm x; done",
                "until false; do rm x; done",
                "if true; then rm x; else ls; fi",
                "case a in a) rm x;; esac",
                "select a in b; do rm x; done",
                "hash -p /bin/rm ls; rm x",
                "chdir /; rm x",
            })
    void redefinitions(String line) {
        assertTrue(Shells.seen(line).contains("rm x"), () -> Shells.seen(line).toString());
    }

    @Test
    @Tag("D14")
    @DisplayName("the text of a here-document is data if nothing in it is expanded")
    void hereDocuments() {
        assertEquals(
                List.of("cat <<'EOF' >a\n$(rm x)\nEOF", "ls"),
                Shells.clear("cat <<'E' >a; ls\n$(rm x)\nE\n"));
        assertEquals(List.of("cat <<'EOF'\nx\nEOF", "ls"), Shells.clear("cat <<-E\n\tx\n\tE\nls"));
        assertEquals(
                List.of("a <<'EOF_'\nEOF\nEOF_", "b <<'EOF'\n2\nEOF"),
                Shells.clear("a <<E | b <<F\nEOF\nE\n2\nF"));
    }

    @ParameterizedTest
    @Tag("D13")
    @DisplayName("cd is followed; where it may have failed, both folders count")
    @CsvSource(
            delimiter = '@',
            value = {
                "cd a && x @ a",
                "cd a; x @ a,.",
                "cd a || x @ .",
                "cd a && y; x @ a,.",
                "cd a && cd b && x @ a/b",
                "(cd a); x @ .",
                "cd a | y; x @ .",
                "cd a & x @ .",
                "{ cd a; } && x @ a,.",
                "cd a/.. && x @ .",
                "cd && x @ ../home",
                "! cd a && x @ a,.",
            })
    void folders(String line, String expected) {
        List<SimpleCommand> commands = Shells.facts(line).reading().commands();
        Set<Path> folders =
                Set.of(expected.split(",")).stream()
                        .map(name -> Shells.WORKSPACE.resolve(name).normalize())
                        .collect(Collectors.toSet());

        assertEquals(folders, commands.getLast().folders());
    }
}
