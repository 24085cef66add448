package dev.agentloop.secret.pattern;

/** A kind of secret that fixed characters announce. */
public interface Trigger {
    /** The characters that announce it; two at least. */
    String start();

    /**
     * Whether a secret is announced at {@code at}: its spans are added to the scan.
     *
     * @return where the search goes on; -1 when there is none
     */
    int find(Scan scan, int at);
}
