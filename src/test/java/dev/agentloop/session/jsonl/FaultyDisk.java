package dev.agentloop.session.jsonl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A disk whose writes and forces fail as a test has ordered, one order for each call. */
final class FaultyDisk implements JsonlJournal.Disk {
    /** Bytes that a write takes before it fails; missing orders work well. */
    final Deque<Integer> writes = new ArrayDeque<>();

    /** Messages of forces that fail; an empty message is a force that works. */
    final Deque<String> forces = new ArrayDeque<>();

    /** What was done, in order: {@code open}, {@code write 120}, {@code force}. */
    final List<String> log = new ArrayList<>();

    static final int SHORT = 1_000_000; // plus the bytes that a write takes without an exception

    @Override
    public FileChannel open(Path file) throws IOException {
        log.add("open");
        return new Faulty(JsonlJournal.Disk.REAL.open(file));
    }

    private final class Faulty extends FileChannel {
        private final FileChannel real;

        Faulty(FileChannel real) {
            this.real = real;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            Integer order = writes.poll();
            if (order == null) {
                log.add("write " + source.remaining());
                return real.write(source);
            }
            int bytes = order % SHORT;
            log.add("fail " + bytes);
            real.write(source.slice(source.position(), bytes));
            if (order >= SHORT) {
                source.position(source.position() + bytes);
                return bytes;
            }
            throw new IOException("No space left on device");
        }

        @Override
        public void force(boolean metaData) throws IOException {
            String order = forces.poll();
            log.add(order == null || order.isEmpty() ? "force" : "force fails");
            if (order != null && !order.isEmpty()) {
                throw new IOException(order);
            }
            real.force(metaData);
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            real.truncate(size);
            return this;
        }

        @Override
        public long size() throws IOException {
            return real.size();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            real.close();
        }

        @Override
        public int read(ByteBuffer target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long newPosition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(ByteBuffer target, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
