package dev.agentloop.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code scripts/sbom} writes it; it must be what the program is built from. */
class BillOfMaterialsTest {
    private static final Path BILL =
            Path.of("src/main/resources/META-INF/sbom/application.cdx.json");
    private static final Pattern DEPENDENCY =
            Pattern.compile(
                    "<dependency>\\s*<groupId>[^<]*</groupId>\\s*<artifactId>([^<]*)</artifactId>"
                            + "((?:(?!</dependency>).)*)</dependency>",
                    Pattern.DOTALL);

    @Test
    @Tag("D83")
    @DisplayName("the bill of materials has all libraries, in the versions that are used")
    void isComplete() throws IOException {
        JsonNode bill = new ObjectMapper().readTree(BILL.toFile());
        String classPath = System.getProperty("java.class.path");
        Set<String> named = new TreeSet<>();
        for (JsonNode component : bill.path("components")) {
            String name = component.path("name").asText();
            named.add(name);
            String jar = "/" + name + "-" + component.path("version").asText() + ".jar";
            assertTrue(classPath.contains(jar), jar + ": run scripts/sbom");
        }
        Set<String> missing = direct();
        missing.removeAll(named);
        assertEquals(Set.of(), missing, "run scripts/sbom");
    }

    private static Set<String> direct() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        String own = pom.substring(pom.indexOf("</dependencyManagement>"), pom.indexOf("<build>"));
        Set<String> names = new TreeSet<>();
        Matcher matcher = DEPENDENCY.matcher(own);
        while (matcher.find()) {
            String scope = matcher.group(2);
            if (!scope.contains("<scope>test<") && !scope.contains("<scope>provided<")) {
                names.add(matcher.group(1));
            }
        }
        assertTrue(names.contains("picocli"), names::toString);
        return names;
    }
}
