package dev.agentloop.json.schema;

import dev.agentloop.json.JsonValue;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The references of one schema, followed before anything is checked against it: one that leads
 * nowhere, or back to itself without a step into the value, would fail every answer.
 */
final class References {
    private static final String KNOWN = "https://json-schema.org/"; // comes with the library
    private static final URI UNNAMED = URI.create("https://schema.invalid/"); // RFC 2606
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");
    private static final Set<String> NAMED =
            Set.of(
                    "properties",
                    "patternProperties",
                    "$defs",
                    "definitions",
                    "dependentSchemas",
                    "dependencies");
    private static final List<String> SAME_VALUE =
            List.of("allOf", "anyOf", "oneOf", "not", "if", "then", "else");

    private final String idKey;
    private final Map<URI, JsonValue> resources = new HashMap<>();
    private final Map<String, JsonValue> anchors = new HashMap<>();
    private final IdentityHashMap<Object, URI> bases = new IdentityHashMap<>();
    private final List<JsonValue> withReference = new ArrayList<>();
    private final IdentityHashMap<Object, Boolean> finished = new IdentityHashMap<>();

    private References(JsonValue root) {
        this.idKey = root.at("$schema").text().contains("draft-04") ? "id" : "$id";
        resources.put(UNNAMED, root);
        collect(root, UNNAMED);
    }

    /**
     * @throws IllegalArgumentException naming the reference that cannot be followed
     */
    static void check(JsonValue schema) {
        try {
            References all = new References(schema);
            for (JsonValue owner : all.withReference) {
                all.target(owner);
            }
            for (JsonValue owner : all.withReference) {
                all.follow(owner, "");
            }
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("its references form too long a chain", e);
        }
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
        if (schema.at("$ref").isText()) {
            withReference.add(schema);
        }
        for (String key : schema.keys()) {
            JsonValue value = schema.at(key);
            if (NAMED.contains(key)) {
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
        if (id.isEmpty()) {
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

    /** Where the reference of a schema leads; null into one of the known schemas. */
    private @Nullable JsonValue target(JsonValue owner) {
        String reference = owner.at("$ref").text();
        int hash = reference.indexOf('#');
        String address = hash < 0 ? reference : reference.substring(0, hash);
        String fragment = hash < 0 ? "" : reference.substring(hash + 1);
        URI base = bases.getOrDefault(owner.raw(), UNNAMED);
        URI document = address.isEmpty() ? base : resolved(base, address);
        JsonValue resource = document == null ? null : resources.get(document);
        if (resource == null) {
            if (String.valueOf(document).startsWith(KNOWN)) {
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
        if (schema.at("$ref").isText()) {
            JsonValue target = target(schema);
            if (target != null) {
                follow(target, schema.at("$ref").text());
            }
        }
        for (String key : SAME_VALUE) {
            follow(schema.at(key), by);
            schema.at(key).items().forEach(item -> follow(item, by));
        }
        JsonValue dependent = schema.at("dependentSchemas");
        dependent.keys().forEach(name -> follow(dependent.at(name), by));
        finished.put(schema.raw(), true);
    }
}
