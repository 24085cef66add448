package dev.agentloop.tool.builtin.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchCodeToolTest {
    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @Test
    void definitionsComeFirstThenUsesThenFileNames() {
        tools.write("a/Main.java", "class Main {\n    void run() { loginUser(\"x\"); }\n}\n");
        tools.write("b/Users.java", "class Users {\n    User loginUserAgain(String n) {\n");
        tools.write("c/users.py", "def login_user(name):\n    pass\n");
        tools.write("d/user_login.md", "nothing\n");
        tools.write("node_modules/x.js", "function loginUser() {}\n");
        assertEquals(
                """
                c/users.py:1 [function] def login_user(name):
                b/Users.java:2 [function] User loginUserAgain(String n) {
                a/Main.java:2 [reference] void run() { loginUser("x"); }
                d/user_login.md [file]
                """,
                tools.call("search_code", "query", "login user").text());
        assertEquals(
                tools.call("search_code", "query", "login user").text(),
                tools.call("search_code", "query", "where is loginUser").text());
    }

    @Test
    void aSearchCanBeNarrowed() {
        tools.write("a/x.go", "func Pay() {\n");
        tools.write("b/y.go", "func Pay() {\n\tPay()\n");
        assertEquals(
                "b/y.go:1 [function] func Pay() {\nb/y.go:2 [reference] Pay()\n",
                tools.call("search_code", "query", "pay", "path", "b").text());
        ToolResult one = tools.call("search_code", "query", "pay", "max_results", 1);
        assertEquals(
                "a/x.go:1 [function] func Pay() {\n\n[best 1 only; narrow the path or the query]",
                one.text());
        assertTrue(one.truncated());
    }

    @Test
    void withoutAPlaceForAllWordsOneForMostOfThemIsFound() {
        tools.write("x.rb", "def parse_date(text)\n");
        assertEquals(
                "x.rb:1 [function] def parse_date(text)\n",
                tools.call("search_code", "query", "parse date quickly").text());
        assertEquals(
                "Nothing found for zebra. Try fewer or other words.",
                tools.call("search_code", "query", "zebra").text());
        assertEquals(
                ToolResult.error(
                        "There is no word in the query. Use grep to look for other characters."),
                tools.call("search_code", "query", "=>"));
    }

    @Test
    @DisplayName("a name with its owner before it is the definition, that of the owner first")
    void aNameWithItsOwner() {
        tools.write("a/other.cc", "int hueOf(int a) {\n}\n");
        tools.write("b/painter.cc", "int Painter::hueOf(int a) {\n}\nint b = hueOf(1);\n");
        tools.write("c/node.h", "typedef struct node { int a; } node_t;\n");
        for (String query : List.of("Painter::hueOf", "gfx::Painter::hueOf", "Painter.hueOf")) {
            assertEquals(
                    """
                    b/painter.cc:1 [function] int Painter::hueOf(int a) {
                    a/other.cc:1 [function] int hueOf(int a) {
                    b/painter.cc:3 [reference] int b = hueOf(1);
                    """,
                    tools.call("search_code", "query", query).text());
        }
        assertEquals(
                "c/node.h:1 [type] typedef struct node { int a; } node_t;\n",
                tools.call("search_code", "query", "node_t").text());
    }

    @Test
    @DisplayName("small words are part of a name: isEmpty is another one than empty")
    void smallWordsInAName() {
        tools.write("a.py", "def empty():\n");
        tools.write("b.py", "def isEmpty():\n");
        assertEquals(
                "b.py:1 [function] def isEmpty():\n",
                tools.call("search_code", "query", "isEmpty").text());
    }

    @Test
    @DisplayName("a word for the kind before a name asks for what has that name")
    void aKindBeforeAName() {
        tools.write("a.h", "struct device_driver {\nint probe(struct device *dev);\n");
        tools.write("b.h", "struct device {\n");
        String found = tools.call("search_code", "query", "struct device").text();
        assertTrue(found.startsWith("b.h:1 [class] struct device {\na.h:1 [class]"), found);
        tools.write("d.h", "struct task_struct {\n");
        String twice = tools.call("search_code", "query", "struct task_struct").text();
        assertTrue(twice.startsWith("d.h:1 [class] struct task_struct {"), twice);
        tools.write("c.py", "class Device:\n    pass\n");
        String other = tools.call("search_code", "query", "class device").text();
        assertTrue(other.contains("c.py:1 [class] class Device:"), other);
    }

    @Test
    @DisplayName(
            "a word that is everywhere: the search ends when enough is defined by it, and says so")
    void aWordThatIsEverywhere() {
        String many = "x = init(y)\n".repeat(499);
        for (int i = 0; i < 200; i++) {
            String name = i == 3 ? "init" : "init_" + i;
            tools.write("d/%03d.py".formatted(i), "def " + name + "():\n" + many);
        }
        ToolResult found = tools.call("search_code", "query", "init");
        assertTrue(found.text().startsWith("d/003.py:1 [function] def init():"), found.text());
        String note =
                found.text().replaceFirst("(?s).*only the (\\d+) files looked at first.*", "$1");
        int looked = Integer.parseInt(note);
        assertTrue(looked >= 120 && looked < 200, found.text());
        assertTrue(found.truncated());
    }

    @Test
    void manyPlacesAreBounded() {
        for (int i = 0; i < 300; i++) {
            tools.write(
                    "d/%03d.py".formatted(i),
                    "def pay_%d():\n".formatted(i) + "pay()\n".repeat(99));
        }
        tools.write("e/last.py", "def pay():\n");
        ToolResult result = tools.call("search_code", "query", "pay");
        assertTrue(result.text().startsWith("e/last.py:1 [function] def pay():\n"), result.text());
        assertEquals(30, result.text().lines().filter(line -> line.contains(" [")).count());
        assertTrue(result.truncated());
    }
}
