package dev.agentloop.session.jsonl;

import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord.Reserved;
import dev.agentloop.session.SavedSession;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a journal has sent and not seen answered, at most one of each agent, and what
 * lost ones may have used.
 */
final class OpenRequests {
    private static final Reserved UNKNOWN = new Reserved(0, 0, null);

    private final Map<String, Reserved> open = new LinkedHashMap<>(); // by who has sent it
    private long heldTokens;
    private BigDecimal heldUsd = BigDecimal.ZERO;

    /**
     * Requests of which no reply was kept.
     *
     * @param usage the most they can have used; none where no cap stood behind them
     */
    record Lost(int count, Usage usage, @Nullable String usd) {
        String note() {
            String cut =
                    count == 1
                            ? "A request was cut off before its reply was kept; "
                            : count + " requests were cut off before their replies were kept; ";
            String it = count == 1 ? "it" : "they";
            if (usage.total() == 0) {
                return cut + it + " may have cost money.";
            }
            String most = (usd == null ? "" : "$" + usd + ", ") + usage.total() + " tokens";
            return cut + "the most " + it + " can have used counts as used: " + most + ".";
        }
    }

    void sent(String by, @Nullable Reserved most) {
        open.put(by, most == null ? UNKNOWN : most);
    }

    void answered(String by) {
        open.remove(by);
    }

    /** What it has used is an estimate; the rest of its reservation stays out of use. */
    void failed(String by, Usage counted, @Nullable String usd) {
        Reserved reserved = open.getOrDefault(by, UNKNOWN);
        if (reserved.equals(UNKNOWN)) {
            return;
        }
        long most = reserved.input() + reserved.output();
        heldTokens += Math.max(0, most - counted.total());
        BigDecimal rest = money(reserved.usd()).subtract(money(usd));
        heldUsd = heldUsd.add(rest.max(BigDecimal.ZERO));
    }

    Optional<Lost> lost() {
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Usage most = Usage.NONE;
        BigDecimal usd = BigDecimal.ZERO;
        boolean priced = true;
        for (Reserved one : open.values()) {
            if (!one.equals(UNKNOWN)) {
                most = most.plus(new Usage(one.input(), one.output(), 0, 0, 0, true));
                priced &= one.usd() != null;
                usd = usd.add(money(one.usd()));
            }
        }
        boolean known = priced && most.total() > 0;
        Lost lost = new Lost(open.size(), most, known ? usd.toPlainString() : null);
        open.clear();
        return Optional.of(lost);
    }

    /**
     * @param counted what was told of the requests that were cut off last, if anything
     */
    SavedSession.Held held(String counted) {
        return new SavedSession.Held(heldTokens, heldUsd, counted);
    }

    private static BigDecimal money(@Nullable String usd) {
        try {
            return usd == null ? BigDecimal.ZERO : new BigDecimal(usd);
        } catch (NumberFormatException e) {
            return BigDecimal.ZERO; // a price that cannot be read is unknown, see SessionFold
        }
    }
}
