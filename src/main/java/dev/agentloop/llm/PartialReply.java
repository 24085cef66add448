package dev.agentloop.llm;

import dev.agentloop.message.Usage;

/**
 * What had come of a reply when its call ended without one.
 *
 * @param text may be empty; it is no answer and not remembered
 * @param usage what the provider had told, and an estimate of the output that had come; without a
 *     prompt if the provider had not told its size
 * @param owed whether the provider has probably charged for the call: a reply had begun, or it was
 *     we who stopped waiting for it. Refusals and lost connections cost nothing before that.
 * @param requestBytes size of the request; 0 if it is not known
 */
public record PartialReply(String text, Usage usage, boolean owed, long requestBytes) {
    /** Nothing had come, and nothing is owed. */
    public static final PartialReply NONE = new PartialReply("", Usage.NONE, false, 0);

    /** Nothing had come of a reply that the provider may well have worked on. */
    public static final PartialReply UNHEARD = new PartialReply("", Usage.NONE, true, 0);

    /** To a request of this size. */
    public PartialReply to(long bytes) {
        return new PartialReply(text, usage, owed, bytes);
    }

    /** With what is known besides. */
    PartialReply or(PartialReply other) {
        PartialReply more = usage.total() == 0 && text.isEmpty() ? other : this;
        return new PartialReply(
                more.text,
                more.usage,
                owed || other.owed,
                Math.max(requestBytes, other.requestBytes));
    }
}
