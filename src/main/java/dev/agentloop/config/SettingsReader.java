package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.Origin;
import dev.agentloop.config.source.Settings;
import dev.agentloop.llm.Effort;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Typed reading of settings. Everything was checked when it was read, so nothing can fail here. */
final class SettingsReader {
    private final Settings settings;
    private final Path home;
    private final Path base;

    /**
     * @param base what relative paths start from
     */
    SettingsReader(Settings settings, Path home, Path base) {
        this.settings = settings;
        this.home = home;
        this.base = base;
    }

    Settings settings() {
        return settings;
    }

    List<Map<?, ?>> maps(String path) {
        List<Map<?, ?>> maps = new ArrayList<>();
        for (Object map : (List<?>) settings.value(path).orElseThrow()) {
            maps.add((Map<?, ?>) map);
        }
        return maps;
    }

    static Object of(Map<?, ?> map, String name) {
        Object value = map.get(name);
        if (value == null) {
            throw new IllegalStateException("a map without " + name);
        }
        return value;
    }

    int whole(String path) {
        return Math.toIntExact((Long) settings.value(path).orElseThrow());
    }

    OptionalInt maybeWhole(KeyPath path) {
        Optional<Object> value = settings.value(path);
        return value.isPresent()
                ? OptionalInt.of(Math.toIntExact((Long) value.get()))
                : OptionalInt.empty();
    }

    /** Empty: the key says {@code auto}. */
    OptionalInt wholeOrAuto(String path) {
        return settings.value(path).orElseThrow() instanceof Long number
                ? OptionalInt.of(Math.toIntExact(number))
                : OptionalInt.empty();
    }

    OptionalLong count(String key) {
        Optional<Object> set = settings.value(key);
        return set.isPresent() ? OptionalLong.of((Long) set.get()) : OptionalLong.empty();
    }

    List<Path> paths(String key) {
        List<Path> paths = new ArrayList<>();
        for (String path : texts(key)) {
            paths.add(path(path));
        }
        return List.copyOf(paths);
    }

    boolean flag(String path) {
        return (Boolean) settings.value(path).orElseThrow();
    }

    Optional<Boolean> maybeFlag(KeyPath path) {
        return settings.value(path).map(Boolean.class::cast);
    }

    Duration span(String path) {
        return (Duration) settings.value(path).orElseThrow();
    }

    /** 0 and unset are both no limit. */
    Optional<Duration> limit(String path) {
        return settings.value(path).map(Duration.class::cast).filter(span -> !span.isZero());
    }

    Optional<Effort> effort(KeyPath path) {
        return text(path).map(text -> constant(Effort.values(), text));
    }

    Optional<BigDecimal> money(KeyPath path) {
        return settings.value(path).map(BigDecimal.class::cast);
    }

    Optional<String> text(String path) {
        return text(KeyPath.of(path));
    }

    Optional<String> text(KeyPath path) {
        return settings.value(path).map(String.class::cast);
    }

    List<String> texts(String path) {
        return asTexts(settings.value(path).orElseThrow());
    }

    static List<String> asTexts(Object list) {
        List<String> texts = new ArrayList<>();
        for (Object text : (List<?>) list) {
            texts.add((String) text);
        }
        return List.copyOf(texts);
    }

    <E extends Enum<E>> E word(E[] constants, String path) {
        return constant(constants, text(path).orElseThrow());
    }

    /** Not by Enum.valueOf, which starts the whole of reflection: milliseconds at each start. */
    static <E extends Enum<E>> E constant(E[] constants, String word) {
        String name = word.replace('-', '_').toUpperCase(Locale.ROOT);
        for (E constant : constants) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalStateException("no constant for " + word);
    }

    /** A path that starts from the folder of the file that names it. */
    Optional<Path> beside(String key) {
        Origin origin = settings.origin(KeyPath.of(key));
        String place = origin.text();
        Path folder =
                origin.kind().isFile()
                        ? Path.of(place.substring(0, place.lastIndexOf(':'))).getParent()
                        : base;
        Path from = folder == null ? base : base.resolve(folder);
        return text(key).map(text -> resolve(text, home, from));
    }

    Path path(String text) {
        return resolve(text, home, base);
    }

    /** {@code ~/} is the home directory; anything else relative starts from {@code base}. */
    static Path resolve(String text, Path home, Path base) {
        if (text.equals("~")) {
            return home;
        }
        Path path = text.startsWith("~/") ? home.resolve(text.substring(2)) : base.resolve(text);
        return path.toAbsolutePath().normalize();
    }
}
