package dev.agentloop.json;

import java.math.BigDecimal;

/** A number with a point or an exponent, as it was written: no digit is lost on the way through. */
final class JsonNumber extends Number {
    private static final long serialVersionUID = 1L;

    private final String text;
    private final double nearest;

    JsonNumber(String text, double nearest) {
        this.text = text;
        this.nearest = nearest;
    }

    @Override
    public int intValue() {
        return (int) nearest;
    }

    @Override
    public long longValue() {
        return (long) nearest;
    }

    @Override
    public float floatValue() {
        return (float) nearest;
    }

    @Override
    public double doubleValue() {
        return nearest;
    }

    /** Equal in value, however it is written: 1.5 is 1.50. */
    @Override
    public boolean equals(Object other) {
        return other instanceof JsonNumber that
                && new BigDecimal(text).compareTo(new BigDecimal(that.text)) == 0;
    }

    @Override
    public int hashCode() {
        return new BigDecimal(text).stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
