package dev.agentloop.session.jsonl;

import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord.Reserved;
import dev.agentloop.session.SavedSession;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The request that a journal has sent and not seen answered, and what lost ones may have used. */
final class OpenRequest {
    private boolean awaitsReply;
    private @Nullable Reserved reserved;
    private long heldTokens;
    private BigDecimal heldUsd = BigDecimal.ZERO;

    /**
     * A request of which no reply was kept.
     *
     * @param usage the most it can have used; none where no cap stood behind it
     */
    record Lost(Usage usage, @Nullable String usd) {
        String note() {
            String cut = "A request was cut off before its reply was kept; ";
            if (usage.total() == 0) {
                return cut + "it may have cost money.";
            }
            String most = (usd == null ? "" : "$" + usd + ", ") + usage.total() + " tokens";
            return cut + "the most it can have used counts as used: " + most + ".";
        }
    }

    void sent(@Nullable Reserved most) {
        awaitsReply = true;
        reserved = most;
    }

    void answered() {
        awaitsReply = false;
        reserved = null;
    }

    /** What it has used is an estimate; the rest of its reservation stays out of use. */
    void failed(Usage counted, @Nullable String usd) {
        if (reserved == null) {
            return;
        }
        long most = reserved.input() + reserved.output();
        heldTokens += Math.max(0, most - counted.total());
        BigDecimal rest = money(reserved.usd()).subtract(money(usd));
        heldUsd = heldUsd.add(rest.max(BigDecimal.ZERO));
    }

    Optional<Lost> lost() {
        if (!awaitsReply) {
            return Optional.empty();
        }
        Usage most =
                reserved == null
                        ? Usage.NONE
                        : new Usage(reserved.input(), reserved.output(), 0, 0, 0, true);
        Lost lost = new Lost(most, reserved == null ? null : reserved.usd());
        answered();
        return Optional.of(lost);
    }

    /**
     * @param counted what was told of the request that was cut off last, if anything
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
