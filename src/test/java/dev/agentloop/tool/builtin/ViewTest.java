package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Image;
import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.builtin.file.ReadFileTool;
import dev.agentloop.tool.builtin.file.ViewImageTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are more than text: images, PDF, notebooks. */
final class ViewTest {
    private static final byte[] GIF =
            HexFormat.of().parseHex("47494638396101000200800000000000ffffff2c000000000100010000");
    private static final String NOTEBOOK =
            """
            {"cells": [
             {"cell_type": "markdown", "source": ["# Title\\n", "words"]},
             {"cell_type": "code", "execution_count": 1, "source": "print(x)\\nplot()",
              "outputs": [
               {"output_type": "stream", "text": ["LINES"]},
               {"output_type": "display_data", "data": {"image/png": "iVBO", "text/html": "x"}},
               {"output_type": "error", "ename": "NameError", "evalue": "no x", "traceback": []}]}
            ], "nbformat": 4}
            """;

    @TempDir Path folder;
    @TempDir Path programs;
    private ToolFixture tools;

    @BeforeEach
    void makeTools() {
        tools = ToolFixture.in(folder);
    }

    private ToolFixture with(boolean seesImages, Map<String, String> environment) {
        ProcessRunner runner = new ProcessRunner(environment, List.of());
        return ToolFixture.with(
                folder,
                List.of(new ReadFileTool(seesImages, runner), new ViewImageTool(seesImages)));
    }

    /** A machine whose pdftotext is this script. */
    private ToolFixture withPdfToText(String script) throws IOException {
        Path program = Files.writeString(programs.resolve("pdftotext"), "#!/bin/sh\n" + script);
        assertTrue(program.toFile().setExecutable(true));
        return with(true, Map.of("PATH", programs + ":/usr/bin:/bin"));
    }

    @Test
    @DisplayName("an image is shown by its bytes, whatever its name, by either tool")
    void images() {
        tools.write("logo", GIF);
        ToolResult shown =
                ToolResult.ok("[logo: image/gif, 29 bytes]")
                        .withImages(
                                List.of(
                                        new Image(
                                                "image/gif",
                                                Base64.getEncoder().encodeToString(GIF))));

        assertEquals(shown, tools.call("view_image", "file_path", "logo"));
        assertEquals(shown, tools.call("read_file", "file_path", "./logo"));
    }

    @Test
    @DisplayName("an image with more pixels than providers take would end the run; it is not sent")
    void tooManyPixels() {
        byte[] huge = GIF.clone();
        huge[6] = 0x60;
        huge[7] = (byte) 0xEA; // 60,000 pixels wide
        tools.write("huge", huge);
        ToolResult told = tools.call("view_image", "file_path", "huge");
        assertTrue(told.text().contains("more than 8000 pixels"), told.text());
        assertEquals(List.of(), told.images());
    }

    @Test
    @DisplayName("a pdftotext of the workspace is not run")
    void programOfTheWorkspace() throws IOException {
        Path program = Files.createDirectory(folder.resolve("bin")).resolve("pdftotext");
        Files.writeString(program, "#!/bin/sh\ntouch bitten\n");
        assertTrue(program.toFile().setExecutable(true));
        tools.write("a.pdf", "%PDF-1.4\n\0");
        ToolFixture careful = with(true, Map.of("PATH", program.getParent() + ":/bin"));
        careful.call("read_file", "file_path", "a.pdf");
        assertFalse(Files.exists(folder.resolve("bitten")));
    }

    @Test
    @DisplayName("a model that sees nothing is told what it is, and is not offered view_image")
    void blind() {
        tools.write("logo", GIF);
        ToolFixture blind = with(false, Map.of());

        ToolResult told = blind.call("read_file", "file_path", "logo");
        assertEquals(ToolResult.ok("logo: image/gif, 29 bytes. This model takes no images."), told);
        assertEquals(1, blind.registry.specs().size());
    }

    @Test
    @DisplayName("what is too large or no image is refused, with what to do")
    void refused() {
        tools.write("big", Arrays.copyOf(GIF, 3_750_001));
        tools.write("a.png", "no image");

        ToolResult big = tools.call("view_image", "file_path", "big");
        assertTrue(big.isError() && big.text().contains("Make a smaller copy"), big.text());
        assertEquals(List.of(), big.images());
        ToolResult text = tools.call("view_image", "file_path", "a.png");
        assertTrue(text.isError() && text.text().contains("Use read_file"), text.text());
        ToolResult outside = tools.call("view_image", "file_path", "/etc/hostname");
        assertTrue(outside.text().contains("outside the workspace"), outside.text());
    }

    @Test
    @DisplayName("a notebook is shown as cells, its outputs cut, and is edited as the JSON it is")
    void notebooks() {
        String lines = String.join("", java.util.Collections.nCopies(30, "out\\n"));
        tools.write("a.ipynb", NOTEBOOK.replace("LINES", lines));

        ToolResult result = tools.call("read_file", "file_path", "a.ipynb");

        String[] parts = result.text().split("\n", 2);
        assertTrue(parts[0].contains("edit_file changes that JSON"), parts[0]);
        assertEquals(
                "# %% cell 1 [markdown]\n# Title\nwords\n\n# %% cell 2 [code]\nprint(x)\nplot()\n"
                        + "#> out\n".repeat(20)
                        + "#> [12 more lines of output]\n\n",
                parts[1]);
        ToolResult edited =
                tools.call(
                        "edit_file",
                        "file_path",
                        "a.ipynb",
                        "old_string",
                        "print(x)",
                        "new_string",
                        "print(y)");
        assertFalse(edited.isError(), edited.text());
        assertTrue(tools.content("a.ipynb").contains("\"print(y)\\nplot()\""));
        tools.write("b.ipynb", "{\"cells\": 1}");
        assertEquals("{\"cells\": 1}\n", tools.call("read_file", "file_path", "b.ipynb").text());
    }

    @Test
    @DisplayName("a PDF is read by pdftotext, page by page of lines, its name as it is")
    void pdf() throws IOException {
        Path file = tools.write("a b$(x).pdf", "%PDF-1.7 \0 not for eyes");
        ToolFixture reader =
                withPdfToText(
                        "for a; do f=$o; o=$a; done; printf '%s\\none\\ntwo\\f' \"$f\" > \"$o\"");

        ToolResult all = reader.call("read_file", "file_path", "a b$(x).pdf");
        assertEquals(
                "[text of a PDF, its pages end with a form feed]\n" + file + "\none\ntwo\f\n",
                all.text());
        ToolResult page =
                reader.call("read_file", "file_path", "a b$(x).pdf", "offset", 2, "limit", 1);
        assertTrue(page.text().startsWith("[lines 2-2 of 3; continue with offset 3;"), page.text());
        assertTrue(page.text().endsWith("]\none\n"), page.text());
    }

    @Test
    @DisplayName("a PDF that cannot be read says why: no program, a bad file, no text")
    void noPdf() throws IOException {
        tools.write("a.pdf", "%PDF-1.7 \0");
        String missing =
                with(true, Map.of("PATH", programs.toString()))
                        .call("read_file", "file_path", "a.pdf")
                        .text();
        assertTrue(missing.contains("no pdftotext") && missing.contains("poppler-utils"), missing);
        String bad =
                withPdfToText("echo 'Syntax Error' >&2; exit 1")
                        .call("read_file", "file_path", "a.pdf")
                        .text();
        assertTrue(bad.contains("exit code 1): Syntax Error"), bad);
        String scanned = withPdfToText("exit 0").call("read_file", "file_path", "a.pdf").text();
        assertTrue(scanned.contains("without text"), scanned);
    }
}
