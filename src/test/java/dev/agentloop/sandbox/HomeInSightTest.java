package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands see of a home what builds read, and nothing else of it. */
@Timeout(120)
class HomeInSightTest extends HomeWorld {
    private String readableOf(Tier tier, String names) throws IOException {
        return out(
                        tier,
                        "cd ~; for f in "
                                + names
                                + "; do grep -sqv '^<settings/>$' $f && echo $f; done")
                .replace('\n', ' ');
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void buildsReadTheirCachesAndNobodyReadsWhatIsOfNoBuild(Tier tier) throws IOException {
        String seen = ".m2/repository/a.jar .cargo/bin/cargo .cache/pip/x .gitconfig go/pkg/x";
        String unseen =
                ".unheard-of/token .cargo/credentials.toml .m2/settings.xml Documents/plan wallet.dat";
        for (String name : (seen + " " + unseen).split(" ")) {
            file(name, "text of it\n");
        }

        assertEquals(seen, readableOf(tier, seen + " " + unseen));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @DisplayName("a program is found in a folder of the search path that has a link in its name")
    void searchPathByALink(Tier tier) throws IOException {
        for (String tool : List.of("store/v1/bin/shop-tool", "store/v2/bin/cash-tool")) {
            file(tool, "#!/bin/sh\necho works\n");
            assertTrue(home.resolve(tool).toFile().setExecutable(true));
        }
        Files.createSymbolicLink(home.resolve("current"), Path.of("store/v1"));
        Files.createSymbolicLink(home.resolve("latest"), home.resolve("store/v2"));
        String folders = home.resolve("current/bin") + ":" + home.resolve("latest/bin");
        environment.merge("PATH", folders, (all, it) -> all + ":" + it);

        assertEquals("works works", out(tier, "echo $(shop-tool) $(cash-tool)"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @DisplayName("a link in the workspace brings nothing of the home in sight by the search path")
    void searchPathInTheWorkspace(Tier tier) throws IOException {
        file("private/diary", "text of it\n");
        Path link = workspace.resolve(".venv/bin");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, home.resolve("private"));
        environment.merge("PATH", link.toString(), (all, it) -> all + ":" + it);

        assertEquals("", readableOf(tier, "private/diary"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @DisplayName("nor does a link of the home that leads there by way of the workspace")
    void searchPathThroughTheWorkspace(Tier tier) throws IOException {
        file("private/diary", "text of it\n");
        Path here = Files.createDirectories(workspace).resolve("bin");
        Files.createSymbolicLink(here, home.resolve("private"));
        Path link = home.resolve(".local/bin");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, here);
        environment.merge("PATH", link.toString(), (all, it) -> all + ":" + it);

        assertEquals("", readableOf(tier, "private/diary"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void whatLiesBesideTheWorkspaceStaysReadable(Tier tier) throws IOException {
        file("work/library/pom.xml", "<project/>\n");
        file("work/.editorconfig", "root = true\n");
        file("other/file", "text\n");

        String all = "work/library/pom.xml work/.editorconfig other/file";
        assertEquals("work/library/pom.xml work/.editorconfig", readableOf(tier, all));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void settingsOfGitAreReadableUnlessTheyHoldAPassword(Tier tier) throws IOException {
        file(".gitconfig", "[include]\n\tpath = ~/dot/who\n[user]\n\tname = Ann\n");
        file("dot/who", "[user]\n\temail = ann@example.org\n");
        assertEquals("Ann ann@example.org", readGit(tier));

        file("dot/who", "[http]\n\textraHeader = Authorization: Basic abc\n");
        assertEquals("", readableOf(tier, "dot/who"));

        file(".gitconfig", "[url \"https://ann:pass@example.org/\"]\n\tinsteadOf = x:\n");
        assertEquals("", readableOf(tier, ".gitconfig"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void wordsThatOnlySoundLikeAPasswordHideNoSettings(Tier tier) throws IOException {
        file(
                ".gitconfig",
                "# token: see vault\n[user]\n\tname = Ann\n\temail = a@b.org\n[x]\n\tbypass = true\n"
                        + "[credential]\n\thelper = store\n");
        assertEquals("Ann a@b.org", readGit(tier));

        for (String line :
                List.of(
                        "[sendemail]\n\tsmtpPass = hunter2",
                        "[github]\n\toauth-token = abc",
                        "#\tpassword = hunter2",
                        "[x]\n\tsecret_key = abc")) {
            file(".gitconfig", line + "\n");
            assertEquals("", readableOf(tier, ".gitconfig"), line);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void settingsOfPackageManagersAreReadableUnlessTheyHoldAToken(Tier tier) throws IOException {
        file(".npmrc", "registry=https://npm.example.org/\n//npm.example.org/:_authToken=${T}\n");
        file(".config/pip/pip.conf", "[global]\nindex-url = https://pypi.example.org/simple\n");
        file(".config/nix/nix.conf", "experimental-features = flakes\n");
        file(".config/ruff/ruff.toml", "line-length = 100\n");
        file(".pylintrc", "[MAIN]\n");
        file(".config/pypoetry/auth.toml", "[http-basic]\n");
        file(".config/containers/auth.json", "{}\n");
        String seen =
                ".npmrc .config/pip/pip.conf .config/nix/nix.conf .config/ruff/ruff.toml .pylintrc";
        String all = seen + " .config/pypoetry/auth.toml .config/containers/auth.json";
        assertEquals(seen, readableOf(tier, all));

        file(".npmrc", "//registry.npmjs.org/:_authToken=abc\n");
        file(".config/pip/pip.conf", "[global]\nindex-url = https://ann:pass@example.org/simple\n");
        file(".config/nix/nix.conf", "access-tokens = github.com=abc\n");
        file(".yarnrc.yml", "npmAuthToken: abc\n");
        file(".terraformrc", "credentials \"app\" {\n  token = \"abc\"\n}\n");
        file(".pip/pip.conf", "what-nobody-can-read-as-a-setting\n");
        String hidden =
                ".npmrc .config/pip/pip.conf .config/nix/nix.conf .yarnrc.yml .terraformrc"
                        + " .pip/pip.conf";
        assertEquals("", readableOf(tier, hidden));
    }

    private String readGit(Tier tier) throws IOException {
        return out(tier, "echo $(git config user.name; git config user.email)");
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void programsOnThePathRunWithWhatLiesBesideThem(Tier tier) throws IOException {
        file("tools/zap/bin/zap", "#!/bin/sh\ncat ~/tools/zap/share/words\n");
        file("tools/zap/share/words", "zapped\n");
        assertEquals(true, home.resolve("tools/zap/bin/zap").toFile().setExecutable(true));
        file(".zup/config", "token\n");
        file(".zup/bin/zup", "#!/bin/sh\ncat ~/.zup/config || echo nothing\n");
        assertEquals(true, home.resolve(".zup/bin/zup").toFile().setExecutable(true));
        environment.merge(
                "PATH",
                home + "/tools/zap/bin:" + home + "/.zup/bin",
                (old, more) -> more + ":" + old);

        assertEquals("zapped", out(tier, "zap"));
        assertEquals("nothing", out(tier, "zup 2>/dev/null"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void aCacheThatIsALinkIsFollowed(Tier tier) throws IOException {
        Path disk = Files.createDirectories(folder.resolve("disk/m2"));
        Files.writeString(disk.resolve("a.jar"), "jar\n");
        Files.writeString(disk.resolve("settings.xml"), "password\n");
        Files.createSymbolicLink(home.resolve(".m2"), disk);
        file("dot/cargo/x", "x\n");
        file("dot/other", "x\n");
        Files.createSymbolicLink(home.resolve(".cargo"), Path.of("dot/cargo"));

        String all = ".m2/a.jar .m2/settings.xml .cargo/x dot/cargo/x dot/other";
        assertEquals(".m2/a.jar .cargo/x dot/cargo/x", readableOf(tier, all));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void theUserMaySayWhatElseIsReadable(Tier tier) throws IOException {
        file("Documents/plan", "plan\n");
        file(".aws/config", "region\n");
        file(".ssh/id_rsa", "key\n");
        file(".netrc", "password\n");
        String all = "cat ~/Documents/plan ~/.aws/config ~/.ssh/id_rsa 2>/dev/null";

        assertEquals("plan\nregion", out(tier, all, "Documents", ".aws"));
        assertEquals("plan", out(tier, all, "."));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void aHistoryThatIsALinkToNothingTakesNothingAway(Tier tier) throws IOException {
        Files.createSymbolicLink(home.resolve(".bash_history"), Path.of("/dev/null"));
        environment.put("AWS_CONFIG_FILE", "/dev/null");

        assertEquals("well", out(tier, "echo lost >/dev/null && cat /dev/null && echo well"));
        assertEquals("well", out(tier, "cat /dev/null && echo well", "."));
    }

    /** Landlock cannot take away from a folder what it has granted for it as a whole. */
    @ParameterizedTest
    @EnumSource(names = "BWRAP")
    void aHomeThatIsTheWorkspaceKeepsItsFilesButNoCredentials(Tier tier) throws IOException {
        workspace = home;
        file("notes", "notes\n");
        file(".aws/credentials", "key\n");
        file(".config/goose/secrets.yaml", "key\n");

        assertEquals(
                "notes", readableOf(tier, "notes .aws/credentials .config/goose/secrets.yaml"));
        assertEquals("written", out(tier, "echo written >new && cat new"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void aWorktreeFindsItsRepositoryElsewhereInTheHome(Tier tier) throws IOException {
        Path repository = Files.createDirectories(home.resolve("src/shop"));
        String made =
                "cd "
                        + repository
                        + " && git init -q && git -c user.name=a -c user.email=b commit -q --allow-empty"
                        + " -m first && git worktree add -q ../../trees";
        assertEquals(0, outside(made));
        workspace = home.resolve("trees").toRealPath();

        assertEquals("first", out(tier, "git log --format=%s"));
    }

    private int outside(String command) throws IOException {
        try {
            return new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
