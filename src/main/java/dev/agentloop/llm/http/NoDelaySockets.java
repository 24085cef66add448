package dev.agentloop.llm.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Supplier;
import javax.net.SocketFactory;

/**
 * Makes sockets without Nagle's algorithm. OkHttp sends a request in several small writes; with
 * Nagle each request over 8 kB waits 41 ms for the peer's delayed acknowledgement (measured).
 */
final class NoDelaySockets extends SocketFactory {
    private final Supplier<Socket> kind;

    NoDelaySockets(Supplier<Socket> kind) {
        this.kind = kind;
    }

    @Override
    public Socket createSocket() throws IOException {
        Socket socket = kind.get();
        socket.setTcpNoDelay(true);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw onlyUnconnected();
    }

    private static UnsupportedOperationException onlyUnconnected() {
        return new UnsupportedOperationException("the HTTP client connects its sockets itself");
    }
}
