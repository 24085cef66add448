package dev.agentloop.session.jsonl.journal;

import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord.RequestSent;
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
    private final Map<String, RequestSent> open = new LinkedHashMap<>(); // by who has sent it
    private long heldTokens;
    private BigDecimal heldUsd = BigDecimal.ZERO;

    /**
     * Requests of which no reply was kept.
     *
     * @param usage under a cap the most they can have used, else what they have probably read
     * @param usd null when no price is known
     * @param likely whether no cap stood behind one of them
     */
    record Lost(int count, Usage usage, @Nullable String usd, boolean likely) {
        String note() {
            String cut =
                    count == 1
                            ? "A request was cut off before its reply was kept; "
                            : count + " requests were cut off before their replies were kept; ";
            String it = count == 1 ? "it" : "they";
            if (usage.total() == 0) {
                return cut + it + " may have cost money.";
            }
            String figures = (usd == null ? "" : "$" + usd + ", ") + usage.total() + " tokens";
            return likely
                    ? cut + "an estimate of what " + it + " read counts as used: " + figures + "."
                    : cut + "the most " + it + " can have used counts as used: " + figures + ".";
        }
    }

    void sent(RequestSent request) {
        open.put(request.by(), request);
    }

    void answered(String by) {
        open.remove(by);
    }

    /** What it has used is an estimate; the rest of its reservation stays out of use. */
    void failed(String by, Usage counted, @Nullable String usd) {
        RequestSent request = open.get(by);
        Reserved reserved = request == null ? null : request.reserved();
        if (reserved == null) {
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
        boolean likely = false;
        for (RequestSent one : open.values()) {
            Reserved reserved = one.reserved();
            String its = reserved == null ? one.estimatedUsd() : reserved.usd();
            most =
                    most.plus(
                            reserved == null
                                    ? new Usage(one.estimatedTokens(), 0, 0, 0, 0, true)
                                    : new Usage(
                                            reserved.input(), reserved.output(), 0, 0, 0, true));
            priced &= its != null;
            usd = usd.add(money(its));
            likely |= reserved == null;
        }
        boolean known = priced && most.total() > 0;
        Lost lost = new Lost(open.size(), most, known ? usd.toPlainString() : null, likely);
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
