package dev.agentloop.skill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.call.SchemaWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkillToolTest {
    @TempDir Path folder;

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private SkillSet skills() throws IOException {
        return SkillSet.of(new SkillPlaces(folder.resolve("user").toRealPath(), Optional.empty()));
    }

    private ToolResult read(Object... pairs) throws IOException {
        Files.createDirectories(folder.resolve("work"));
        return ToolFixture.with(
                        folder.resolve("work").toRealPath(), List.of(new SkillTool(skills())))
                .call("skill", pairs);
    }

    @Test
    void theSchemaIsThatOfTheArguments() throws IOException {
        Path file = Path.of("src/main/resources/schemas/tools/skill.json");
        String schema = SchemaWriter.schemaOf(SkillTool.Args.class) + "\n";
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, schema);
        }
        assertEquals(schema, Files.readString(file));
    }

    @Test
    void aLongSkillComesInPagesAndEveryLineOnce() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int i = 1; i <= 400; i++) {
            body.append("step ").append(i).append(" of a long list of steps\n");
        }
        write("user/skills/long/SKILL.md", "---\ndescription: Long.\n---\n" + body);

        StringBuilder all = new StringBuilder();
        int from = 1;
        for (int pages = 0; from > 0 && pages < 10; pages++) {
            String page = read("name", "long", "offset", from).text();
            int more = page.indexOf("[more: go on with offset ");
            all.append(more < 0 ? page : page.substring(0, more));
            from = more < 0 ? 0 : Integer.parseInt(page.substring(more).replaceAll("\\D+", ""));
        }
        assertEquals(body.toString(), all.toString());
    }

    @Test
    void filesOfTheSkillAreNamedAndReadButNothingOutsideOfIt() throws IOException {
        write("user/skills/release/SKILL.md", "---\ndescription: Releases.\n---\nRead steps.md.");
        write("user/skills/release/steps.md", "First tag.");
        write("user/skills/release/bin/tag.sh", "git tag");
        write("user/secret", "hush");
        Files.createSymbolicLink(
                folder.resolve("user/skills/release/link.md"), folder.resolve("user/secret"));

        String text = read("name", "release").text();
        assertTrue(text.startsWith("Read steps.md.\n"), text);
        assertTrue(text.endsWith(":\nbin/tag.sh\nsteps.md"), text);
        assertEquals("First tag.\n", read("name", "release", "file", "steps.md").text());
        for (String file : List.of("../../secret", "link.md", "none.md", "/etc/passwd")) {
            ToolResult refused = read("name", "release", "file", file);
            assertTrue(refused.isError(), refused::text);
            assertFalse(refused.text().contains("hush"), refused::text);
        }
        assertTrue(read("name", "other").text().contains("Skills: release."));
    }

    @Test
    void whatIsNoSkillIsLeftOutWithItsLine() throws IOException {
        write("user/skills/a/SKILL.md", "---\nname: a\ndescripton: x\n---\nHi");
        write("user/skills/b/SKILL.md", "---\nname: other\ndescription: x\n---\nHi");
        write("user/skills/c/SKILL.md", "No header.");
        write(
                "user/skills/d/SKILL.md",
                "---\ndescription: Fine.\nlicense: MIT\nmetadata: {x: y}\n---\nHi");

        SkillSet set = skills();
        assertEquals(List.of("d"), List.copyOf(set.skills().keySet()));
        assertEquals(3, set.leftOut().size(), set.leftOut()::toString);
        String first = set.leftOut().getFirst();
        assertTrue(first.contains("SKILL.md:3: descripton: unknown key; did you mean"), first);
    }

    @Test
    void whatRulesKeepFromTheModelASkillDoesNotGive() throws IOException {
        write("work/app/SKILL.md", "---\ndescription: App.\n---\nDo it.\n");
        write("work/app/.env", "SECRET=1\n");
        write("work/.agent/skills/own/SKILL.md", "---\ndescription: Own.\n---\nDo it.\n");
        write("work/.agent/skills/own/.env", "SECRET=2\n");
        write("work/AGENTS.md", "Read app/SKILL.md.\n");
        Path work = folder.resolve("work").toRealPath();
        SkillSet set =
                SkillSet.of(
                        new SkillPlaces(
                                folder.resolve("user"),
                                Optional.of(new SkillPlaces.Project(work, work))));
        assertEquals(java.util.Set.of("app", "own"), set.skills().keySet());
        var tools = ToolFixture.with(work, List.of(new SkillTool(set)));
        assertTrue(tools.call("skill", "name", "app").text().contains("Do it."));
        for (String name : List.of("app", "own")) {
            String told = tools.call("skill", "name", name, "file", ".env").text();
            assertFalse(told.contains("SECRET"), told);
        }
    }

    @Test
    void aLongWordInTheGuidanceIsReadAtOnce() throws IOException {
        write("work/AGENTS.md", "a".repeat(60_000) + " " + "a/".repeat(30_000));
        Path work = folder.resolve("work").toRealPath();
        var places =
                new SkillPlaces(
                        folder.resolve("user"), Optional.of(new SkillPlaces.Project(work, work)));
        org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
                java.time.Duration.ofSeconds(20), () -> SkillSet.of(places));
    }
}
