package dev.agentloop.orchestration;

/**
 * Between what shares the true rate of passing lies, as far as so few runs can say: Wilson's score
 * interval, which holds for small numbers and for rates of 0 and 1 as well.
 *
 * @param low from 0
 * @param high to 1
 */
public record Interval(double low, double high) {
    private static final double Z = 1.959963984540054; // 95 % of the normal distribution

    /** Of so many of so many; all is possible where nothing was tried. */
    public static Interval of(int passed, int runs) {
        if (runs == 0) {
            return new Interval(0, 1);
        }
        double rate = (double) passed / runs;
        double z2 = Z * Z;
        double middle = (rate + z2 / (2 * runs)) / (1 + z2 / runs);
        double half =
                Z
                        / (1 + z2 / runs)
                        * Math.sqrt(rate * (1 - rate) / runs + z2 / (4.0 * runs * runs));
        return new Interval(Math.max(0, middle - half), Math.min(1, middle + half));
    }
}
