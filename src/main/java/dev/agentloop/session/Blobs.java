package dev.agentloop.session;

import java.io.IOException;
import java.util.List;

/** Contents that a session keeps beside its journal. */
public interface Blobs {
    /**
     * Keeps a content; equal ones are kept once.
     *
     * @param fingerprint of the content, made of characters that a file name may have
     * @return the name to read it by
     */
    String keep(String fingerprint, byte[] content) throws IOException;

    /** Returns when these contents are on the disk and survive a power cut. */
    void force(List<String> names) throws IOException;

    byte[] read(String name) throws IOException;
}
