package dev.agentloop.json.schema;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.harrel.jsonschema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The references that a check can come to, followed before anything is checked: one that leads
 * nowhere, or back to itself without a step into the value, would fail every answer. The patterns
 * on the way are looked at, too: a bad one would pass every answer.
 */
final class References {
    private static final URI UNNAMED = URI.create("https://schema.invalid/"); // RFC 2606
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");
    private static final List<String> NAMED = // what they hold goes by names of the user
            List.of("properties", "patternProperties", "dependentSchemas", "dependencies");
    private static final Set<String> DEFINITIONS = Set.of("$defs", "definitions");
    private static final List<String> SAME_VALUE =
            List.of("allOf", "anyOf", "oneOf", "not", "if", "then", "else");
    private static final List<String> PARTS =
            List.of(
                    "items",
                    "prefixItems",
                    "additionalItems",
                    "unevaluatedItems",
                    "contains",
                    "additionalProperties",
                    "unevaluatedProperties",
                    "propertyNames");

    private final String idKey;
    private final boolean refStandsAlone;
    private final List<String> referenceKeys;
    private final Map<URI, JsonValue> resources = new HashMap<>();
    private final Map<String, JsonValue> anchors = new HashMap<>();
    private final IdentityHashMap<Object, URI> bases = new IdentityHashMap<>();
    private final IdentityHashMap<Object, Boolean> finished = new IdentityHashMap<>();

    private References(JsonValue root) {
        String draft = root.at("$schema").text();
        this.idKey = draft.contains("draft-04") ? "id" : "$id";
        this.refStandsAlone = draft.contains("/draft-0"); // before 2019-09
        this.referenceKeys =
                refStandsAlone
                        ? List.of("$ref")
                        : draft.contains("2019-09")
                                ? List.of("$ref", "$recursiveRef")
                                : List.of("$ref", "$dynamicRef");
        resources.put(UNNAMED, root);
        collect(root, UNNAMED);
    }

    /**
     * @throws IllegalArgumentException naming the reference that cannot be followed
     */
    static void check(JsonValue schema) {
        try {
            References all = new References(schema);
            for (JsonValue reached : all.reachedFrom(schema)) {
                all.follow(reached, "");
                if (!all.isAlone(reached)) {
                    checkPatterns(reached);
                }
            }
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("its references form too long a chain", e);
        }
    }

    /** The library takes a pattern that it does not understand for one that everything matches. */
    private static void checkPatterns(JsonValue schema) {
        List<String> patterns = new ArrayList<>(schema.at("patternProperties").keys());
        if (schema.at("pattern").isText()) {
            patterns.add(schema.at("pattern").text());
        }
        for (String pattern : patterns) {
            try {
                Pattern.compile(pattern);
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        "the pattern %s is no regular expression that can be checked here: %s"
                                .formatted(Json.quote(pattern), e.getDescription()),
                        e);
            }
        }
    }

    /** Every schema that a value, or a part of it, may be checked against. */
    private List<JsonValue> reachedFrom(JsonValue root) {
        IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>();
        List<JsonValue> reached = new ArrayList<>();
        Deque<JsonValue> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            JsonValue schema = open.pop();
            Object raw = schema.raw();
            if (schema.isObject() && raw != null && seen.put(raw, true) == null) {
                reached.add(schema);
                open.addAll(targets(schema));
                if (!isAlone(schema)) {
                    open.addAll(parts(schema));
                }
            }
        }
        return reached;
    }

    private static List<JsonValue> parts(JsonValue schema) {
        List<JsonValue> parts = new ArrayList<>(sameValue(schema));
        for (String key : PARTS) {
            parts.add(schema.at(key));
            parts.addAll(schema.at(key).items());
        }
        for (String key : NAMED) {
            JsonValue named = schema.at(key);
            named.keys().forEach(name -> parts.add(named.at(name)));
        }
        return parts;
    }

    /** The parts of a schema that look at the same value as it does. */
    private static List<JsonValue> sameValue(JsonValue schema) {
        List<JsonValue> parts = new ArrayList<>();
        for (String key : SAME_VALUE) {
            parts.add(schema.at(key));
            parts.addAll(schema.at(key).items());
        }
        JsonValue dependent = schema.at("dependentSchemas");
        dependent.keys().forEach(name -> parts.add(dependent.at(name)));
        return parts;
    }

    /** Whether the schema is nothing but its reference: older drafts ignore what stands beside. */
    private boolean isAlone(JsonValue schema) {
        return refStandsAlone && schema.at("$ref").isText();
    }

    private List<JsonValue> targets(JsonValue schema) {
        List<JsonValue> targets = new ArrayList<>();
        for (String key : referenceKeys) {
            JsonValue target =
                    schema.at(key).isText() ? target(schema, schema.at(key).text()) : null;
            if (target != null) {
                targets.add(target);
            }
        }
        return targets;
    }

    private void collect(JsonValue schema, URI outer) {
        URI base = base(schema, outer);
        if (schema.raw() != null) {
            bases.put(schema.raw(), base);
        }
        for (String key : List.of("$anchor", "$dynamicAnchor")) {
            if (schema.at(key).isText()) {
                anchors.put(base + "#" + schema.at(key).text(), schema);
            }
        }
        for (String key : schema.keys()) {
            JsonValue value = schema.at(key);
            if (NAMED.contains(key) || DEFINITIONS.contains(key)) {
                value.keys().forEach(name -> collectAll(value.at(name), base));
            } else if (!DATA.contains(key)) {
                collectAll(value, base);
            }
        }
    }

    private void collectAll(JsonValue value, URI base) {
        if (value.isObject()) {
            collect(value, base);
        }
        value.items().forEach(item -> collectAll(item, base));
    }

    /** The address of the schema, which may begin a resource of its own. */
    private URI base(JsonValue schema, URI outer) {
        String id = schema.at(idKey).text();
        if (id.isEmpty() || isAlone(schema)) {
            return outer;
        }
        if (id.startsWith("#")) { // an anchor, before draft 2019-09
            anchors.put(outer + id, schema);
            return outer;
        }
        URI own = resolved(outer, id.endsWith("#") ? id.substring(0, id.length() - 1) : id);
        if (own == null) {
            throw new IllegalArgumentException("the " + idKey + " " + id + " is no address");
        }
        resources.put(own, schema);
        return own;
    }

    private static @Nullable URI resolved(URI base, String address) {
        try {
            return base.resolve(address);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Where a reference of a schema leads; null into one of those that the library has. */
    private @Nullable JsonValue target(JsonValue owner, String reference) {
        int hash = reference.indexOf('#');
        String address = hash < 0 ? reference : reference.substring(0, hash);
        String fragment = hash < 0 ? "" : reference.substring(hash + 1);
        URI base = bases.getOrDefault(owner.raw(), UNNAMED);
        URI document = address.isEmpty() ? base : resolved(base, address);
        JsonValue resource = document == null ? null : resources.get(document);
        if (resource == null) {
            JsonValue known = published(String.valueOf(document));
            if (known != null && at(known, fragment) != null) {
                return null;
            }
            throw dead(
                    reference,
                    address.contains("://")
                            ? "leads out of the schema; nothing is fetched"
                            : "leads nowhere in the schema");
        }
        JsonValue found =
                fragment.isEmpty() || fragment.startsWith("/")
                        ? at(resource, fragment)
                        : anchors.get(document + "#" + fragment);
        if (found == null) {
            throw dead(reference, "leads nowhere in the schema");
        }
        return found;
    }

    /** A schema of schemas, which comes with the library; null for any other address. */
    private static @Nullable JsonValue published(String address) {
        for (SpecificationVersion version : SpecificationVersion.values()) {
            if (version.getId().replace("#", "").equals(address)) {
                String path = version.getResourcePath();
                try (InputStream in = SpecificationVersion.class.getResourceAsStream(path)) {
                    return in == null ? null : Json.parse(in.readAllBytes());
                } catch (IOException | JsonException e) {
                    throw new IllegalStateException("the library's " + path + " is damaged", e);
                }
            }
        }
        return null;
    }

    private static IllegalArgumentException dead(String reference, String why) {
        return new IllegalArgumentException("the reference " + reference + " " + why);
    }

    /** What a JSON pointer in an address points at; null if that is no schema. */
    private static @Nullable JsonValue at(JsonValue root, String pointer) {
        JsonValue place = root;
        try {
            String decoded = URLDecoder.decode(pointer.replace("+", "%2B"), StandardCharsets.UTF_8);
            for (String step : decoded.substring(Math.min(1, decoded.length())).split("/", -1)) {
                String key = step.replace("~1", "/").replace("~0", "~");
                place =
                        decoded.isEmpty()
                                ? place
                                : place.isArray() ? place.at(Integer.parseInt(key)) : place.at(key);
            }
        } catch (IllegalArgumentException e) { // no number where one belongs, or bad escapes
            return null;
        }
        return place.isObject() || place.raw() instanceof Boolean ? place : null;
    }

    /** Goes on to every schema that looks at the same value; coming back would never end. */
    private void follow(JsonValue schema, String by) {
        if (!schema.isObject() || schema.raw() == null) {
            return;
        }
        Boolean done = finished.putIfAbsent(schema.raw(), false);
        if (done != null) {
            if (!done) {
                throw dead(by, "leads back to itself, so no value could ever be checked");
            }
            return;
        }
        for (JsonValue target : targets(schema)) {
            follow(target, reference(schema));
        }
        if (!isAlone(schema)) {
            sameValue(schema).forEach(part -> follow(part, by));
        }
        finished.put(schema.raw(), true);
    }

    private String reference(JsonValue schema) {
        return referenceKeys.stream()
                .map(key -> schema.at(key).text())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }
}
