package dev.agentloop.permission;

import dev.agentloop.control.Cancellation;
import dev.agentloop.tool.call.PreparedCall;

/** Without a terminal every question is a denial, with the remedies in its text. */
public final class NobodyToAsk implements Approver {
    @Override
    public Answer ask(PreparedCall.Ready<?> ready, Decision decision, Cancellation cancellation) {
        String tool = ready.spec().name();
        return new Answer.No(
                "needs approval ("
                        + decision.rule()
                        + ") and there is no terminal to ask at. The person who started the run can"
                        + " allow it by "
                        + (decision.rule().matches("P\\d+|" + ConfirmPreset.CONFIRM_ALL.wireName())
                                ? "--allow '" + tool + "(PATTERN)', or at a terminal"
                                : "taking that rule back, or by running it at a terminal")
                        + ". Go on without it.");
    }
}
