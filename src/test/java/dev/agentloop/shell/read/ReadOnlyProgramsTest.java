package dev.agentloop.shell.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.shell.CommandFacts;
import dev.agentloop.shell.Shells;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReadOnlyProgramsTest {
    @ParameterizedTest
    @Tag("P9")
    @DisplayName("proven to only read")
    @ValueSource(
            strings = {
                "ls",
                "ls -la --color=never src | head -20",
                "cat a 'b c' > /dev/null 2>&1",
                "head -n 5 a; tail -n +3 b; wc -l *",
                "cd src && grep -rn --include='*.java' -e foo . | sort -u -k 2,2 | uniq -c",
                "rg -n 'foo bar' -g '*.c' src",
                "find . -type f \\( -name '*.c' -o -name '*.h' \\) -mtime -3 -print0",
                "[ -f a ] && echo yes || echo no",
                "test 1 -lt 2",
                "printf '%s\\n' a b",
                "cut -d: -f1 a | tr a-z A-Z",
                "diff -ru a b",
                "sed -n '1,20p' a",
                "date +%F",
                "LC_ALL=C sort a",
                "du -sh . ; df -h",
                "(pwd; whoami) | cat",
                "uniq a",
                "sort -- -o",
                "hostname",
                "cat < a",
                "cat <<'E'\nrm x\nE",
            })
    void readOnly(String line) {
        assertTrue(Shells.facts(line).readOnly(), () -> Shells.facts(line).reading().toString());
    }

    @ParameterizedTest
    @Tag("D15")
    @DisplayName("a redirection that writes is not read-only")
    @ValueSource(
            strings = {
                "ls > a",
                "ls >> a",
                "ls >| a",
                "ls &> a",
                "cat <> a",
                "ls 2> a",
                "ls > \"$X\"",
                "(ls) > a",
                "> a",
                "ls > /dev/null > a"
            })
    void redirects(String line) {
        assertNotReadOnly(line);
    }

    @ParameterizedTest
    @Tag("D19")
    @DisplayName("a program with a folder before it is never the known one")
    @ValueSource(strings = {"./ls", "bin/ls", "/bin/ls", "~/ls", "LS"})
    void programsWithFolders(String line) {
        assertNotReadOnly(line);
    }

    @ParameterizedTest
    @Tag("D20")
    @DisplayName("what starts another program is not read-only")
    @ValueSource(
            strings = {
                "env ls",
                "sudo ls",
                "nice ls",
                "timeout 5 ls",
                "nohup ls",
                "setsid ls",
                "stdbuf -oL ls",
                "echo a | xargs ls",
                "watch ls",
                "find . -exec ls {} +",
                "parallel ls",
                "sh -c ls",
                "bash -lc ls",
                "python -c 1",
                "ssh h ls",
                "command ls",
                "busybox ls",
            })
    void wrappers(String line) {
        assertNotReadOnly(line);
    }

    @ParameterizedTest
    @Tag("D21")
    @DisplayName("git's options that run programs or write, and git at all if not trusted")
    @ValueSource(
            strings = {
                "git fetch --upload-pack=x",
                "git archive --exec=x",
                "git grep -O",
                "git -c core.fsmonitor=x status",
                "git --config-env=a=b status",
                "git --exec-path=. status",
                "git --git-dir=x status",
                "git -C x status",
                "git diff --output=x",
                "git diff --ext-diff",
                "git diff --textconv",
                "git clone ext::x",
                "git branch --edit-description",
                "git branch x",
                "git branch -D x",
                "git tag x",
                "git remote add a b",
                "git blame --output=x a",
                "git stash",
                "git reflog expire",
                "git cat-file --textconv a",
                "git log --outp=x",
                "cd /tmp && git status",
                "cd a && cd .. ; cd .. ; git diff",
                "git",
            })
    void gitOptions(String line) {
        assertNotReadOnly(line);
        assertFalse(Shells.facts(line).readOnlyIfTrusted());
    }

    @ParameterizedTest
    @Tag("D21")
    @DisplayName("git's reading commands only read in a repository that is trusted")
    @ValueSource(
            strings = {
                "git status",
                "git --no-pager log --oneline -5 | cat",
                "git diff --stat HEAD~1 -- src",
                "git show HEAD:a",
                "git branch -a",
                "git branch --list 'a*'",
                "git tag -l",
                "git remote -v",
                "git rev-parse --abbrev-ref HEAD",
                "git ls-files -m",
                "git blame -L 1,5 a",
                "git describe --tags",
                "git shortlog -sn",
                "git cat-file -p HEAD",
            })
    void gitReads(String line) {
        CommandFacts facts = Shells.facts(line);
        assertFalse(facts.readOnly());
        assertTrue(facts.readOnlyIfTrusted(), () -> facts.reading().toString());
    }

    @ParameterizedTest
    @Tag("D22")
    @DisplayName("options and operands that write or run")
    @ValueSource(
            strings = {
                "find . -execdir x ;",
                "find . -ok x ;",
                "find . -delete",
                "find . -fprint x",
                "find . -fprintf x y",
                "find . -fls x",
                "tar --checkpoint-action=exec=x",
                "tar -I x",
                "sed 1e a",
                "sed 'w x' a",
                "sed -i s/a/b/ a",
                "sed -n -i 1p a",
                "awk 'BEGIN{system(\"x\")}'",
                "sort -o x a",
                "sort -ox a",
                "sort --compress-program=x a",
                "uniq a b",
                "rg --pre x y",
                "rg --hostname-bin x y",
                "rg -z y",
                "file -C",
                "file -m x",
                "xxd a b",
                "split a",
                "tee a",
                "iconv -o a",
                "less -o a",
                "man -P x y",
                "diff -l a b",
                "tree -o x",
                "tree -R",
                "date -s x",
                "date 01010000",
                "hostname x",
                "tail -f x",
                "env",
                "ps",
            })
    void writers(String line) {
        assertNotReadOnly(line);
    }

    @ParameterizedTest
    @Tag("D23")
    @DisplayName("abbreviations, clusters, a file behind --, response files")
    @ValueSource(
            strings = {
                "sort --outp=x a",
                "sort --output x",
                "sort -uo x",
                "sort -k1 -ox",
                "cat --unknown",
                "ls -la --hyperlink=x",
                "grep -Z a --no-such",
                "date --set=x",
                "uniq -- a b",
                "file -bC",
                "head --pid=1",
                "gcc @x",
            })
    void clusters(String line) {
        assertNotReadOnly(line);
    }

    @ParameterizedTest
    @Tag("D24")
    @DisplayName("tools that run the code of a project")
    @ValueSource(
            strings = {
                "make",
                "make -n",
                "npm test",
                "npm ls",
                "mvn -v",
                "gradle tasks",
                "cargo check",
                "pytest",
                "yarn --version",
                "go vet",
                "./mvnw -v"
            })
    void projectCode(String line) {
        assertNotReadOnly(line);
        assertFalse(Shells.facts(line).readOnlyIfTrusted());
    }

    private static void assertNotReadOnly(String line) {
        assertEquals(false, Shells.facts(line).readOnly(), line);
    }
}
