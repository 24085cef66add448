package dev.agentloop.config.source;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.ValueType;
import dev.agentloop.config.source.Settings.Setting;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a trusted project may say about its own runs: it may make limits tighter and add rules that
 * ask or deny, never choose who is called, what is allowed, or where things are written.
 */
public final class ProjectRules {
    private final Settings below;
    private final Map<KeyPath, Setting> kept = new LinkedHashMap<>();
    private final List<String> never = new ArrayList<>();
    private final List<String> wider = new ArrayList<>();
    private final List<String> taken = new ArrayList<>();

    private ProjectRules(Settings below) {
        this.below = below;
    }

    /**
     * The part of the project's layer that counts; {@code warnings} gets a line for the rest.
     *
     * @param place the file, as it stands in messages
     */
    public static Map<KeyPath, Setting> apply(
            Map<KeyPath, Setting> layer, Settings below, String place, List<String> warnings) {
        ProjectRules rules = new ProjectRules(below);
        layer.forEach(rules::sort);
        warn(warnings, place, "a project may not set", rules.never);
        warn(warnings, place, "a project may only lower", rules.wider);
        warn(warnings, place, "your own configuration already sets", rules.taken);
        return rules.kept;
    }

    private static void warn(List<String> warnings, String place, String why, List<String> keys) {
        if (!keys.isEmpty()) {
            warnings.add("Ignored in " + place + ", " + why + ": " + String.join(", ", keys));
        }
    }

    private void sort(KeyPath path, Setting setting) {
        String line = setting.origin().text();
        String named = path + " (line " + line.substring(line.lastIndexOf(':') + 1) + ")";
        switch (setting.key().project()) {
            case NEVER -> never.add(named);
            case MAY -> kept.put(path, setting);
            case MAY_TIGHTEN -> {
                if (isTighter(path, setting)) {
                    kept.put(path, setting);
                } else {
                    wider.add(named);
                }
            }
            case OWN_ENTRY -> {
                KeyPath entry = new KeyPath(path.parts().subList(0, 2));
                if (below.namesBelow(entry).isEmpty()) {
                    kept.put(path, setting);
                } else {
                    taken.add(named);
                }
            }
            case IF_UNSET -> {
                if (below.value(path).isEmpty()) {
                    kept.put(path, setting);
                } else {
                    taken.add(named);
                }
            }
        }
    }

    private boolean isTighter(KeyPath path, Setting setting) {
        if (setting.key().type() instanceof ValueType.Texts) {
            return setting.value() != null; // added to what is there
        }
        if (setting.key().type() instanceof ValueType.Maps) { // rules: none that allows
            return setting.value() instanceof List<?> rules
                    && rules.stream()
                            .noneMatch(rule ->
                                    rule instanceof Map<?, ?> map
                                            && "allow".equals(map.get("verdict")));
        }
        if (setting.key().type() instanceof ValueType.Flag) {
            return Boolean.TRUE.equals(setting.value()); // what holds back is said by a yes
        }
        Optional<Object> now = below.value(path);
        if (now.isEmpty() && path.part(0).equals("agents")) {
            now = below.value("limits." + setting.key().name());
        }
        if (ValueType.WholeOrAuto.AUTO.equals(setting.value())) {
            return now.isEmpty() || ValueType.WholeOrAuto.AUTO.equals(now.get());
        }
        BigDecimal said = weight(setting.key().type(), setting.value());
        BigDecimal limit = weight(setting.key().type(), now.orElse(null));
        return limit == null || said != null && said.compareTo(limit) <= 0;
    }

    /** A limit as a number; null when it is no limit. */
    private static @Nullable BigDecimal weight(ValueType type, @Nullable Object value) {
        boolean zeroIsNone =
                switch (type) {
                    case ValueType.Whole whole -> whole.zeroIsNoLimit();
                    case ValueType.WholeOrAuto _ -> true;
                    case ValueType.Span span -> span.zeroIsNoLimit();
                    default -> false;
                };
        BigDecimal weight =
                switch (value) {
                    case Long number -> BigDecimal.valueOf(number);
                    case Duration span -> BigDecimal.valueOf(span.toMillis());
                    case BigDecimal money -> money;
                    case String _ when type instanceof ValueType.WholeOrAuto either ->
                            BigDecimal.valueOf(either.auto());
                    case null, default -> null;
                };
        return weight != null && zeroIsNone && weight.signum() == 0 ? null : weight;
    }
}
