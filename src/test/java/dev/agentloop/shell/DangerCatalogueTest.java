package dev.agentloop.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DangerCatalogueTest {
    @ParameterizedTest
    @Tag("D67")
    @DisplayName("what a destructive command would meet, as absolute paths")
    @CsvSource(
            delimiter = '@',
            value = {
                "rm -rf / @ /",
                "rm -rf ~ @ /agent-test/home",
                "rm -rf $HOME @ /agent-test/home",
                "rm -rf \"${HOME}\"/ @ /agent-test/home",
                "rm -fr . @ /agent-test/ws",
                "rm -r -f .. @ /agent-test",
                "rm -rf ../* @ /agent-test/*",
                "rm -rf * @ /agent-test/ws/*",
                "rm --recursive ./* @ /agent-test/ws/*",
                "rm -rf tests/ ~/ @ /agent-test/ws/tests /agent-test/home",
                "rm -rf .git @ /agent-test/ws/.git",
                "rm -rf a/../.git/objects @ /agent-test/ws/.git/objects",
                "cd / && rm -rf x @ /x",
                "cd .. ; rm -rf ws @ /agent-test/ws /agent-test/ws/ws",
                "sudo rm -rf /etc @ /etc",
                "sh -c 'rm -rf /etc' @ /etc",
                "echo $(rm -rf /etc) @ /etc",
                "find / -delete @ /",
                "find / -name '*.c' -delete @ /",
                "find . -delete @ /agent-test/ws",
                "find . -exec rm {} + @ /agent-test/ws",
                "dd if=x of=/dev/sda @ /dev/sda",
                "cat x > /dev/sda @ /dev/sda",
                "mkfs.ext4 /dev/sda1 @ /dev/sda1",
                "chmod -R 000 / @ /",
                "chmod -R u+rwX . @ /agent-test/ws",
                "chmod -R --reference=a . @ /agent-test/ws",
                "truncate -s 10M x @ /agent-test/ws/x",
                "mv .git/hooks x @ /agent-test/ws/.git/hooks /agent-test/ws/x",
                "mv * /tmp @ /agent-test/ws/* /tmp",
                "truncate -s0 x @ /agent-test/ws/x",
                "shred x @ /agent-test/ws/x",
                "mv ~ x @ /agent-test/home /agent-test/ws/x",
            })
    void targets(String line, String paths) {
        List<Danger> dangers = Shells.facts(line).dangers();

        assertEquals(1, dangers.size(), dangers::toString);
        assertEquals(
                Stream.of(paths.split(" ")).map(Path::of).toList(), dangers.getFirst().targets());
    }

    @ParameterizedTest
    @Tag("D67")
    @DisplayName("dangers that are no matter of one folder")
    @ValueSource(
            strings = {
                "rm -rf $UNSET/*",
                "rm -rf \"$DIR\"",
                "ls | xargs rm -rf",
                "ls | xargs -I{} rm -rf {}",
                "$SUDO rm -rf /etc",
                "git clean -fdx",
                "git clean -d --force",
                "git reset --hard",
                "git -C a reset --hard HEAD~1",
                "git checkout -- .",
                "git checkout .",
                "git checkout -f main",
                "git restore .",
                "git push --force",
                "git push -fu origin main",
                "git push --force-with-lease",
                "git push origin +main",
                "git push origin :main",
                "git push --delete origin main",
                "git branch -D x",
                "git branch -d --force x",
                "git stash drop",
                "git reset --merge",
                "git read-tree --reset -u HEAD",
                "git checkout-index -fa",
                "git checkout-index --force --all",
                "git switch -C main",
                "git switch --force-create main HEAD~9",
                "git checkout -B main",
                "git tag -d v1",
                "git tag --delete v1",
                "git tag -f v1",
                ":(){ :|:& };:",
                "bomb() { bomb | bomb & }; bomb",
                "psql -c 'DROP TABLE users'",
                "mysql -e 'drop   database x'",
                "sqlite3 a.db 'drop table x;'",
                "psql <<'E'\nDROP TABLE x;\nE",
                "terraform destroy",
                "kubectl -n x delete pod y",
                "docker system prune -af",
                "docker volume rm x",
                "kill -9 -1",
                "shutdown now",
            })
    void others(String line) {
        assertFalse(Shells.facts(line).dangers().isEmpty(), line);
    }

    @ParameterizedTest
    @Tag("D67")
    @DisplayName("everyday commands are no danger")
    @ValueSource(
            strings = {
                "rm -rf build/",
                "rm -rf target/* node_modules",
                "cd src && rm -rf *",
                "rm a b",
                "echo x > a",
                "find . -name '*.pyc' -delete",
                "git clean -n -d",
                "git push",
                "git reset HEAD a",
                "git checkout -b x",
                "git checkout -- a",
                "git restore --staged .",
                "git branch -d x",
                "git tag v2",
                "git reset --keep HEAD~3",
                "git tag -l",
                "git switch -c x",
                "git checkout-index -a",
                "git read-tree HEAD",
                "chmod -R u+w src",
                "chmod +x /usr/local/x",
                "dd if=/dev/zero of=x",
                "kill -9 123",
                "psql -c 'select 1'",
                "docker ps",
                "kubectl get pods",
                "mv a b",
                "mv src/a.py .",
                "mv src/* ./",
                "mv a b ..",
                "chmod -R 755 src",
            })
    void everyday(String line) {
        assertEquals(List.of(), Shells.facts(line).dangers());
    }

    @Test
    @Tag("P11")
    @DisplayName("what is published is named")
    void published() {
        assertEquals(
                List.of("git push origin main", "npm publish"),
                Shells.facts("git push origin main && npm publish; npm test").publishes());
    }

    @ParameterizedTest
    @Tag("P11")
    @DisplayName("commands that publish")
    @ValueSource(
            strings = {
                "git -C a push",
                "npm --prefix a publish",
                "yarn npm publish",
                "mvn -q clean deploy",
                "gradle :a:publish",
                "cargo publish",
                "gem push a.gem",
                "twine upload dist/*",
                "docker push a/b",
                "docker buildx build --push .",
                "gh pr create",
                "gh api -X POST /x",
                "gh release upload v1 a",
                "glab mr merge 1",
                "terraform apply",
                "kubectl apply -f a",
                "helm upgrade a b",
            })
    void publishing(String line) {
        CommandFacts facts = Shells.facts(line);
        assertEquals(1, facts.publishes().size(), line);
        assertTrue(facts.wantsNetwork());
    }

    @ParameterizedTest
    @Tag("P11")
    @DisplayName("commands that do not publish")
    @ValueSource(
            strings = {
                "git pull",
                "npm test",
                "npm run publish-docs",
                "mvn verify",
                "gradle publishToMavenLocal",
                "docker build .",
                "gh pr list",
                "gh pr view 1",
                "gh api /x",
                "terraform plan",
                "kubectl get pods",
            })
    void notPublishing(String line) {
        assertEquals(List.of(), Shells.facts(line).publishes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npm --loglevel silent publish",
                "git --attr-source HEAD push",
                "cargo --color always publish"
            })
    @Tag("P11")
    @DisplayName("an option that is not known may take the next word, or not")
    void unknownOptions(String line) {
        assertEquals(1, Shells.facts(line).publishes().size(), line);
        assertEquals(0, Shells.facts("npm --silent test").publishes().size());
    }

    @ParameterizedTest
    @Tag("P10")
    @DisplayName("overwriting and deleting count for a file that is there, outside")
    @ValueSource(
            strings = {
                "echo > ../precious",
                "echo > link",
                "sort -o ../precious a",
                "dd if=/dev/null of=../precious",
                "cp a ../out",
                "cp a folder",
                "mv a folder/",
                "cp -t ../out a",
                "cd .. && echo > precious",
                "cd folder && echo > a",
                "cd folder && rm a",
                "rm folder/a",
                "rm ../precious",
                "tee folder/a",
            })
    void losesFilesOutside(String line, @TempDir Path folder) throws IOException {
        assertFalse(facts(line, besidesOthers(folder)).dangers().isEmpty());
    }

    @ParameterizedTest
    @Tag("P10")
    @DisplayName("a new file outside, or a link in the workspace, is no loss")
    @ValueSource(
            strings = {
                "echo > ../new",
                "echo > a",
                "echo >> ../precious",
                "cp ../precious b",
                "mv ../out/a a",
                "rm link",
                "rm folder",
                "unlink link",
                "cat link",
                "touch ../precious",
                "cp a ../out/b",
            })
    void losesNothing(String line, @TempDir Path folder) throws IOException {
        assertEquals(List.of(), facts(line, besidesOthers(folder)).dangers());
    }

    /** A workspace with links to a file and a folder beside it. */
    private static Path besidesOthers(Path folder) throws IOException {
        Path root = folder.toRealPath();
        Path workspace = Files.createDirectory(root.resolve("ws"));
        Files.writeString(root.resolve("precious"), "data");
        Files.createDirectory(root.resolve("out"));
        Files.writeString(root.resolve("out/a"), "data");
        Files.writeString(workspace.resolve("a"), "mine");
        Files.createSymbolicLink(workspace.resolve("link"), root.resolve("precious"));
        Files.createSymbolicLink(workspace.resolve("folder"), root.resolve("out"));
        return workspace;
    }

    private static CommandFacts facts(String line, Path workspace) {
        return CommandAnalysis.of(line, workspace, workspace, Shells.HOME);
    }
}
