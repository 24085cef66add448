package dev.agentloop.syntax;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.tomlj.Toml;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads JSON, YAML, TOML and XML as their parsers do, without keeping anything of them. */
enum DataSyntax {
    JSON {
        @Override
        Optional<String> problem(String path, String text) {
            JsonFactory factory =
                    JsonFactory.builder()
                            .configure(JsonReadFeature.ALLOW_JAVA_COMMENTS, isRelaxed(path))
                            .configure(JsonReadFeature.ALLOW_TRAILING_COMMA, isRelaxed(path))
                            .build();
            return text.isBlank() || TEMPLATE_TAG.matcher(text).find()
                    ? Optional.empty()
                    : tokens(factory, text);
        }
    },
    TOML {
        @Override
        Optional<String> problem(String path, String text) {
            return Toml.parse(text).errors().stream()
                    .findFirst()
                    .map(e -> place(e.position().line(), e.position().column()) + firstLine(e));
        }
    },
    YAML {
        @Override
        Optional<String> problem(String path, String text) {
            if (TEMPLATE.matcher(text).find()) {
                return Optional.empty(); // of Helm or Ansible, no YAML yet
            }
            try {
                LoaderOptions options = new LoaderOptions();
                options.setCodePointLimit(text.length() + 1);
                new Yaml(options).parse(new StringReader(text)).forEach(_ -> {});
                return Optional.empty();
            } catch (MarkedYAMLException e) {
                String place = e.getProblemMark() == null ? "" : at(e);
                return Optional.of(place + e.getProblem());
            } catch (YAMLException e) {
                return Optional.of(firstLine(e));
            }
        }

        private String at(MarkedYAMLException e) {
            return place(e.getProblemMark().getLine() + 1, e.getProblemMark().getColumn() + 1);
        }
    },
    XML {
        @Override
        Optional<String> problem(String path, String text) {
            try {
                SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
                factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
                factory.setFeature(OUTSIDE + "external-general-entities", false);
                factory.setFeature(OUTSIDE + "external-parameter-entities", false);
                factory.setFeature(LOAD_DTD, false);
                InputSource source =
                        new InputSource(
                                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
                source.setEncoding("UTF-8");
                factory.newSAXParser().parse(source, new Silent());
                return Optional.empty();
            } catch (SAXParseException e) {
                return Optional.of(place(e.getLineNumber(), e.getColumnNumber()) + firstLine(e));
            } catch (SAXException | ParserConfigurationException | IOException e) {
                return Optional.of(firstLine(e));
            }
        }
    };

    private static final Set<String> WITH_COMMENTS =
            Set.of(
                    "devcontainer.json",
                    "deno.json",
                    "settings.json",
                    "launch.json",
                    "tasks.json",
                    "extensions.json",
                    "keybindings.json",
                    "language-configuration.json",
                    "turbo.json",
                    "nx.json",
                    "rush.json",
                    "biome.json",
                    "wrangler.json",
                    "babel.config.json",
                    "api-extractor.json");
    private static final String OUTSIDE = "http://xml.org/sax/features/";
    private static final String LOAD_DTD =
            "http://apache.org/xml/features/nonvalidating/load-external-dtd";
    private static final Pattern TEMPLATE_TAG =
            Pattern.compile("(?m)^[ \\t]*+\\{%|:[ \\t]*+\\{\\{[ -]*+[\\w.$]");
    private static final Pattern TEMPLATE = Pattern.compile("\\{\\{|\\{%|<%");

    /** The first thing that is wrong; empty if nothing is. */
    abstract Optional<String> problem(String path, String text);

    /** What a file is by its name; empty if it is none of these. */
    static Optional<DataSyntax> of(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "json", "jsonc", "geojson", "webmanifest", "ipynb" -> Optional.of(JSON);
            case "yaml", "yml" -> Optional.of(YAML);
            case "toml" -> Optional.of(TOML);
            case "xml", "pom", "xsd", "xsl", "xslt", "svg", "fxml", "csproj" -> Optional.of(XML);
            default -> Optional.empty();
        };
    }

    private static Optional<String> tokens(JsonFactory factory, String text) {
        try (JsonParser parser = factory.createParser(text)) {
            while (parser.nextToken() != null) {
                parser.skipChildren();
            }
            return Optional.empty();
        } catch (JsonProcessingException e) {
            var where = e.getLocation();
            String place = where == null ? "" : place(where.getLineNr(), where.getColumnNr());
            return Optional.of(place + plain(e.getOriginalMessage()));
        } catch (IOException | RuntimeException e) {
            return Optional.of(firstLine(e));
        }
    }

    /** The parser's words without its settings. */
    private static String plain(String message) {
        return firstLine(message)
                .replaceAll("\\[Source: .*?line: (\\d+), column: (\\d+)]", "line $1, column $2")
                .replaceAll(" \\(not recognized as one since .*?\\)", "")
                .replaceAll(": enable `.*?` to allow", " is no JSON")
                .replaceAll(" \\(code \\d+[^)]*\\)", "");
    }

    /** Files that are JSON with comments, whatever they are called. */
    private static boolean isRelaxed(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return name.endsWith(".jsonc")
                || name.startsWith("tsconfig")
                || name.startsWith("jsconfig")
                || name.startsWith(".")
                || WITH_COMMENTS.contains(name)
                || path.contains(".vscode/")
                || path.contains(".zed/");
    }

    private static String place(int line, int column) {
        return line > 0 ? "line %d, column %d: ".formatted(line, Math.max(1, column)) : "";
    }

    private static String firstLine(Exception e) {
        return firstLine(String.valueOf(e.getMessage()));
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse(message);
    }

    /** Prints nothing and stops at what is fatal. */
    private static final class Silent extends DefaultHandler {
        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}
