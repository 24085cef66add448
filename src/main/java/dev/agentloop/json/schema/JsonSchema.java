package dev.agentloop.json.schema;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.harrel.jsonschema.Error;
import dev.harrel.jsonschema.InvalidSchemaException;
import dev.harrel.jsonschema.JsonSchemaException;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A schema (2020-12, or the draft its {@code $schema} names) that was itself found valid.
 * References lead into the schema only: nothing is ever fetched.
 */
public final class JsonSchema {
    private static final int MAX_PROBLEMS = 5; // the first ones tell the model enough

    private final String text;
    private final Validator validator;
    private final URI address;

    private JsonSchema(String text, Validator validator, URI address) {
        this.text = text;
        this.validator = validator;
        this.address = address;
    }

    /**
     * Reads a schema.
     *
     * @throws JsonException if the text is not JSON
     * @throws IllegalArgumentException if it is not a schema
     */
    public static JsonSchema of(String text) throws JsonException {
        JsonValue schema = Json.parse(text);
        if (!schema.isObject()) {
            throw new IllegalArgumentException("a schema is a JSON object");
        }
        References.check(schema);
        Validator validator =
                new ValidatorFactory().withJsonNodeFactory(ValueNode.FACTORY).createValidator();
        try {
            URI address = validator.registerSchema(new ValueNode(schema, ""));
            return new JsonSchema(text, validator, address);
        } catch (InvalidSchemaException e) {
            throw new IllegalArgumentException(
                    "not a JSON Schema: " + describe(e.getErrors(), "the schema"), e);
        } catch (JsonSchemaException | IllegalArgumentException e) {
            throw new IllegalArgumentException("not a JSON Schema: " + e.getMessage(), e);
        }
    }

    /** The schema as it was written. */
    public String text() {
        return text;
    }

    /** What is wrong with a value, for people and models; empty if it satisfies the schema. */
    public Optional<String> problem(JsonValue value) {
        Validator.Result result;
        try {
            result = validator.validate(address, new ValueNode(value, ""));
        } catch (StackOverflowError e) {
            return Optional.of("it is nested too deeply to be checked");
        }
        return result.isValid()
                ? Optional.empty()
                : Optional.of(describe(result.getErrors(), "the answer"));
    }

    private static String describe(List<Error> errors, String whole) {
        String first =
                errors.stream()
                        .limit(MAX_PROBLEMS)
                        .map(error -> place(error, whole) + ": " + error.getError())
                        .collect(Collectors.joining("; "));
        int more = errors.size() - MAX_PROBLEMS;
        return more > 0 ? first + "; and " + more + " more" : first;
    }

    private static String place(Error error, String whole) {
        String place = error.getInstanceLocation();
        return place == null || place.isEmpty() ? whole : place;
    }
}
