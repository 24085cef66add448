package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tools work although settings of theirs in the home hold a secret, and nobody reads that. */
@Timeout(120)
class HomeSettingsTest extends HomeWorld {
    private static final String ANN = "[user]\n\tname = Ann\n\temail = ann@example.org\n";
    private static final String WHO = "echo $(git config user.name; git config user.email)";
    private static final String POM =
            "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId>"
                    + "<artifactId>x</artifactId><version>1</version></project>\n";

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void gitKnowsWhoYouAreThoughItsSettingsHoldASecret(Tier tier) throws IOException {
        file(
                ".gitconfig",
                ANN
                        + "# my token=canary\n[http]\n\textraHeader = Authorization: canary\n"
                        + "[url \"https://ann:canary@example.org/\"]\n\tinsteadOf = x:\n"
                        + "[alias]\n\tone = \"!echo \\\"a b\\\" \\\n; # more\"\n"
                        + "\tpass = !echo passed # password=canary\n"
                        + "[x]\n\ty = \"pass\"\"word=can\"ary\n");
        file("work/shop/a", "a\n");

        String did =
                out(
                        tier,
                        WHO
                                + "; git init -q && git add a && git commit -qm one"
                                + " && git log --format=%an && git one && git pass"
                                + "; git config --global user.email; git config --list"
                                + "; cat ~/.gitconfig \"${GIT_CONFIG_GLOBAL%/*}\"/*");

        String first = "Ann ann@example.org\nAnn\na b\npassed\nann@example.org\n";
        assertTrue(did.startsWith(first), did);
        assertFalse(did.contains("canary"), did);
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void aFileOfItsOwnForASecretIsLeftOut(Tier tier) throws IOException {
        file(
                ".gitconfig",
                "[include]\n\tpath = ~/.work.inc\n\tpath = dot/more\n"
                        + "[includeIf \"gitdir:./work/\"]\n\tpath = dot/shop\n"
                        + "[include]\n\tpath = ~/.config/gh/git\n\tpath = nowhere\n");
        file(".work.inc", ANN + "[github]\n\ttoken = canary\n");
        file("dot/more", "[include]\n\tpath = deep\n");
        file("dot/deep", "[x]\n\ty = deep\n");
        file("dot/shop", "[x]\n\tz = shop\n");
        file(".config/gh/git", "[x]\n\thidden = canary\n");
        String all = WHO + "; git init -q && git config x.y && git config x.z; git config --list";

        String did = out(tier, all);

        assertTrue(did.startsWith("Ann ann@example.org\ndeep\nshop\n"), did);
        assertFalse(did.contains("canary"), did);
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void settingsOfGitMayLieElsewhere(Tier tier) throws IOException {
        environment.put("XDG_CONFIG_HOME", home + "/xdg");
        file("xdg/git/config", ANN);
        assertEquals("Ann ann@example.org", out(tier, WHO));

        file("xdg/git/config", ANN + "[github]\n\ttoken = canary\n");
        file(".gitconfig", "[user]\n\tname = Bob\n");
        assertEquals("Bob ann@example.org", out(tier, WHO + "; git config github.token"));

        environment.put("GIT_CONFIG_GLOBAL", home + "/own");
        file("own", ANN + "[github]\n\ttoken = canary\n");
        assertEquals("Ann ann@example.org", out(tier, WHO + "; git config github.token"));

        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        assertEquals("", out(tier, WHO));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void namesOfKeysAndProgramsAreNoSecrets(Tier tier) throws IOException {
        String settings =
                ANN
                        + "\tsigningkey = ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFakeFakeFakeFake\n"
                        + "[gpg \"ssh\"]\n\tallowedSignersFile = ~/.ssh/allowed\n"
                        + "\tdefaultKeyCommand = ssh-add -L\n[core]\n\taskPass = /usr/bin/ask\n"
                        + "[alias]\n\tpass = push origin\n";
        file(".gitconfig", settings);

        assertEquals(settings.strip(), out(tier, "cat ~/.gitconfig"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void aCommandCannotChangeTheCopyOfGitsSettings(Tier tier) throws IOException {
        file(".gitconfig", ANN + "[github]\n\ttoken = canary\n");

        String did =
                out(
                        tier,
                        "git config --global user.name Eve 2>/dev/null;"
                                + " echo >\"$GIT_CONFIG_GLOBAL\"; "
                                + WHO
                                + " 2>/dev/null");

        assertTrue(did.contains("Ann ann@example.org"), did);
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void mavenReadsSettingsThatHoldNoPassword(Tier tier) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mvn")));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("MAVEN_OPTS", "-Duser.home=" + home); // Java asks the list of users else
        file("work/shop/pom.xml", POM);
        Files.createDirectories(home.resolve(".m2/repository"));
        file(
                ".m2/settings.xml",
                "<?xml version=\"1.0\"?>\n<settings>\n<!-- <server><password>repopwd</password>"
                        + "</server> -->\n<localRepository>"
                        + home
                        + "/.m2/repository</localRepository><servers><server><id>x</id>"
                        + "<password>${env.X}</password></server></servers></settings>\n");

        assertEquals("0", out(tier, "mvn -o -q validate 2>/dev/null; echo $?"));
        assertEquals("1", out(tier, "grep -c localRepository ~/.m2/settings.xml"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void settingsOfMavenAndGradleWithASecretAreHidden(Tier tier) throws IOException {
        for (String held :
                new String[] {
                    "<settings><servers><server><password>canary</password></server></servers>"
                            + "</settings>",
                    "<settings><servers><server><passphrase>canary</passphrase></server></servers>"
                            + "</settings>",
                    "<settings><privateKey>canary</privateKey></settings>",
                    "<settings><!-- <password>canary</password> --></settings>",
                    "<settings><sonar.token>canary</sonar.token></settings>",
                    "<settings><name>X-Api-Key</name><value>canary</value></settings>",
                    "<!DOCTYPE s SYSTEM \"canary\"><settings/>",
                    "<settings><a>canary</b></settings>",
                    "canary"
                }) {
            file(".m2/settings.xml", held);
            String read = out(tier, "cat ~/.m2/settings.xml");
            assertFalse(read.contains("canary"), held);
        }
        for (String held : new String[] {"nexusPwd=canary", "signingKey=canary", "#token=canary"}) {
            file(".gradle/gradle.properties", held + "\n");
            String read = out(tier, "cat ~/.gradle/gradle.properties");
            assertFalse(read.contains("canary"), held);
        }
        file(".gradle/gradle.properties", "org.gradle.jvmargs=-Xmx2g\n");
        assertEquals("org.gradle.jvmargs=-Xmx2g", out(tier, "cat ~/.gradle/gradle.properties"));
    }

    @ParameterizedTest
    @EnumSource(names = "BWRAP")
    void mavenWorksWithoutSettingsThatHoldAPassword(Tier tier) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mvn")));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("MAVEN_OPTS", "-Duser.home=" + home); // Java asks the list of users else
        file("work/shop/pom.xml", POM);
        Files.createDirectories(home.resolve(".m2/repository"));
        file(
                ".m2/settings.xml",
                "<settings><servers><server><password>a</password></server></servers></settings>");
        file(".gradle/gradle.properties", "mavenPassword=a\n");

        assertEquals("0", out(tier, "mvn -o -q validate 2>/dev/null; echo $?"));
        assertEquals("0", out(tier, "wc -c <~/.gradle/gradle.properties"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void npmHasACacheToWriteWhereTheUserHasNone(Tier tier) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/npm")));
        file("work/x/package.json", "{\"name\":\"x\",\"version\":\"1.0.0\"}\n");
        file("work/shop/package.json", "{\"name\":\"n\",\"version\":\"1.0.0\"}\n");
        file(".npm/_logs/log", "log\n");
        String install =
                "export npm_config_update_notifier=false; npm pack --silent ../x"
                        + " && npm install --silent --no-audit --no-fund ./x-1.0.0.tgz"
                        + " && ls node_modules";

        assertEquals("x-1.0.0.tgz\nx", out(tier, install));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void cachesOfTheUserStayWhereTheyHelp(Tier tier) throws IOException {
        String all = "echo \"${npm_config_cache#$TMPDIR/} ${GOCACHE#$TMPDIR/}\"";
        assertEquals("caches/npm caches/go-build", out(tier, all));

        file(".npm/_cacache/index-v5/a", "a\n");
        environment.put("GOCACHE", "/elsewhere");
        assertEquals("/elsewhere", out(tier, all));
    }
}
