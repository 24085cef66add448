package dev.agentloop.tool;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a tool's parameter means; the text becomes its description in the JSON schema. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Doc {
    String value();

    /**
     * Whether the model may leave the parameter out; it is then null. A component that is an {@code
     * Optional} or {@code @Nullable} may be left out in any case.
     */
    boolean optional() default false;

    /** Allowed values; empty allows all of the type. */
    String[] oneOf() default {};
}
