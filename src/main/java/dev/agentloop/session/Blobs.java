package dev.agentloop.session;

import java.io.IOException;

/** Contents that a session keeps beside its journal. */
public interface Blobs {
    /**
     * Keeps a content; equal ones are kept once.
     *
     * @param fingerprint of the content, made of characters that a file name may have
     * @param force whether it must be on the disk when this returns, and survive a power cut
     * @return the name to read it by
     */
    String keep(String fingerprint, byte[] content, boolean force) throws IOException;

    byte[] read(String name) throws IOException;
}
