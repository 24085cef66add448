package dev.agentloop.shell;

import dev.agentloop.shell.parse.Word;
import java.util.List;
import java.util.Random;

/** Makes up command lines with the tricks that are known to fool readers of shell commands. */
final class ShellLines {
    static final List<String> FILES =
            List.of("a", "b", "a b", "src/x.c", ".env", "-o", "-delete", "--help", "-exec", "x.sh");

    private static final List<String> PROGRAMS =
            List.of(
                    "ls", "rm", "cat", "echo", "printf", "git", "npm", "tee", "cd", "true",
                    "false");

    private static final List<String> WRAPPERS =
            List.of(
                    "env ",
                    "env CI=1 ",
                    "env -u A ",
                    "nice ",
                    "nice -n 5 ",
                    "nohup ",
                    "setsid -w ",
                    "timeout 5 ",
                    "stdbuf -oL ",
                    "command ",
                    "exec ",
                    "xargs ",
                    "! ",
                    "time ",
                    "CI=1 ",
                    "A=1 ",
                    "LC_ALL=C ",
                    "PATH=. ",
                    "find . -exec ");

    private static final List<String> READERS =
            List.of(
                    ("ls cat head tail wc pwd echo printf test grep find sort uniq cut tr "
                                    + "diff cmp comm file stat du date which basename dirname realpath "
                                    + "readlink nl od md5sum id uname seq sed cd tree rg df hostname [")
                            .split(" "));

    /** Commands of those programs, and of others, that do write or start something. */
    private static final List<String> WRITERS =
            List.of(
                    "sort -o x a",
                    "sort -ox a",
                    "sort -uo x a",
                    "sort --output=x a",
                    "uniq a x",
                    "uniq -c -- a x",
                    "find src -delete",
                    "find . -fprint x",
                    "find src -fls x",
                    "find . -name a -exec tee x ';'",
                    "tree -o x",
                    "sed -n 'w x' a",
                    "sed -n -i 1p a",
                    "sed -n '1w x' a",
                    "split a",
                    "tee x",
                    "rg --pre tee 1 a",
                    "tr a b >x",
                    "cp a x");

    private static final List<String> OPTIONS =
            List.of(
                    ("-n -r -o -c -e -f -la -print -name -delete --output=x --outp=x -ox -k1 "
                                    + "-d: -f1 -- - -1 -u -exec -fprint --pre -z -C -m -s -v 1p +%s ] "
                                    + "--compress-program=x -T -R -H -w -type f")
                            .split(" "));

    private static final List<String> ATOMS =
            List.of(
                    "a",
                    "b",
                    "x",
                    "src",
                    ".",
                    "..",
                    "-n",
                    "-rf",
                    "--",
                    "1",
                    "2",
                    "a.c",
                    "x=1",
                    "/",
                    "'a b'",
                    "\"a b\"",
                    "''",
                    "\"\"",
                    "\\a",
                    "\\ ",
                    "\\'",
                    "'\"'",
                    "\"'\"",
                    "\\\\",
                    "{}",
                    "{",
                    "}",
                    "!",
                    "#",
                    "#a",
                    "a#b",
                    "é",
                    "$",
                    "\"$\"",
                    "%",
                    "^",
                    "@",
                    "+",
                    ",",
                    "]",
                    "~",
                    "a~",
                    "\\$x",
                    "\"\\$x\"",
                    "'$x'",
                    "\"a\\b\"",
                    "'`'",
                    "if",
                    "do",
                    "in");

    private static final List<String> TRICKS =
            List.of(
                    "$x",
                    "\"$x\"",
                    "${x}",
                    "${x@P}",
                    "${!x}",
                    "$(rm x)",
                    "`rm x`",
                    "$((1+1))",
                    "$[1]",
                    "<(rm x)",
                    ">(rm x)",
                    "$'\\x61'",
                    "$\"a\"",
                    "{a,b}",
                    "{1..3}",
                    "*",
                    "?",
                    "[a]",
                    "*.c",
                    "src/*",
                    "~/a",
                    "~root",
                    "a=~/b",
                    "\\\n",
                    " \\\n",
                    "\n",
                    "\t",
                    "\u00a0",
                    "\u2003",
                    "\u200b",
                    "\r",
                    "$@",
                    "$#",
                    "$$",
                    "$?",
                    "a[$(rm x)]",
                    "-v",
                    "\"\n\"",
                    "'\n'",
                    "\"`rm x`\"",
                    "((",
                    "))",
                    "[[",
                    "%n",
                    "\u0001",
                    "()");

    private static final List<String> OPERATORS =
            List.of(
                    " && ",
                    " || ",
                    "; ",
                    " | ",
                    " & ",
                    "\n",
                    "&&",
                    "||",
                    ";",
                    "|",
                    "&",
                    " |& ",
                    " ;; ",
                    "\n\n",
                    " # c\n",
                    " \\\n && ",
                    "&\n",
                    ";\n");

    private static final List<String> REDIRECTS =
            List.of(
                    " >x",
                    " >>x",
                    " 2>x",
                    " 2>&1",
                    " >/dev/null",
                    " <a",
                    " >|x",
                    " &>x",
                    " >&x",
                    " <>a",
                    " 12>x",
                    " 1>x",
                    ">x",
                    "2>x",
                    " <<<a",
                    " >&2",
                    " <&0",
                    " 2>&-",
                    " >'x y'",
                    " >$x",
                    " >*",
                    " > x",
                    " >&1x");

    private final Random random;

    ShellLines(long seed) {
        random = new Random(seed);
    }

    String next() {
        String line =
                switch (random.nextInt(4)) {
                    case 0 -> reading();
                    default -> list(2);
                };
        return random.nextInt(4) == 0 ? mutated(line) : line;
    }

    private String reading() {
        StringBuilder line = new StringBuilder(of(random.nextInt(8) == 0 ? WRITERS : READERS));
        for (int i = random.nextInt(4); i > 0; i--) {
            line.append(' ').append(readerWord());
        }
        if (random.nextInt(3) == 0) {
            line.append(" | ").append(of(READERS)).append(' ').append(readerWord());
        }
        if (random.nextInt(8) == 0) {
            line.append(of(REDIRECTS));
        }
        return line.toString();
    }

    private String readerWord() {
        return switch (random.nextInt(8)) {
            case 0 -> "-" + (char) ('A' + random.nextInt(58));
            case 1 -> "-" + letter() + letter();
            case 2, 3 -> of(OPTIONS);
            case 4 -> of(TRICKS);
            default -> "'" + of(FILES) + "'";
        };
    }

    private char letter() {
        return (char) ('a' + random.nextInt(26));
    }

    private String list(int depth) {
        StringBuilder line = new StringBuilder(command(depth));
        for (int i = random.nextInt(3); i > 0; i--) {
            line.append(of(OPERATORS)).append(command(depth));
        }
        return line.toString();
    }

    private String command(int depth) {
        int kind = random.nextInt(20);
        if (depth > 0 && kind == 0) {
            return "(" + list(depth - 1) + ")" + redirect();
        }
        if (depth > 0 && kind == 1) {
            return "{ " + list(depth - 1) + "; }" + redirect();
        }
        if (depth > 0 && kind == 2) {
            return of(List.of("sh", "bash")) + " -c " + Word.quoted(list(depth - 1));
        }
        if (kind == 3) {
            String end = of(List.of("E", "'E'", "\\E", "-E", "-'E'"));
            return "cat <<" + end + redirect() + "\n" + word() + "\n\tE\nE\n" + simple();
        }
        if (kind == 4) {
            return compound();
        }
        return simple();
    }

    private String compound() {
        return switch (random.nextInt(6)) {
            case 0 -> "if " + simple() + "; then " + simple() + "; fi";
            case 1 -> "for x in a b; do " + simple() + "; done";
            case 2 -> of(PROGRAMS) + "() { " + simple() + "; }; " + simple();
            case 3 -> "eval " + Word.quoted(simple());
            case 4 -> "alias ls=rm\n" + simple();
            default -> "case a in a) " + simple() + ";; esac";
        };
    }

    private String simple() {
        StringBuilder line = new StringBuilder();
        if (random.nextInt(4) == 0) {
            line.append(of(WRAPPERS));
        }
        line.append(random.nextInt(10) == 0 ? word() : program());
        for (int i = random.nextInt(4); i > 0; i--) {
            line.append(random.nextInt(12) == 0 ? "  " : " ").append(word());
        }
        return line.append(redirect()).toString();
    }

    private String program() {
        String program = of(PROGRAMS);
        return switch (random.nextInt(12)) {
            case 0 -> "\\" + program;
            case 1 -> program.charAt(0) + "''" + program.substring(1);
            case 2 -> "\"" + program + "\"";
            case 3 -> "./" + program;
            default -> program;
        };
    }

    private String word() {
        StringBuilder word = new StringBuilder(of(ATOMS));
        while (random.nextInt(3) == 0) {
            word.append(random.nextInt(6) == 0 ? of(TRICKS) : of(ATOMS));
        }
        return random.nextInt(25) == 0 ? of(TRICKS) : word.toString();
    }

    private String redirect() {
        return random.nextInt(5) == 0 ? of(REDIRECTS) : "";
    }

    /** The line with one character put in, taken out, or changed. */
    private String mutated(String line) {
        String special = " \t\n\\'\"`$(){}[]<>|&;#!*?~=%:0aE\r";
        int at = random.nextInt(line.length() + 1);
        String character = "" + special.charAt(random.nextInt(special.length()));
        int to = Math.min(line.length(), at + random.nextInt(2));
        String middle = random.nextInt(3) == 0 ? "" : character;
        return line.substring(0, at) + middle + line.substring(to);
    }

    private String of(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
