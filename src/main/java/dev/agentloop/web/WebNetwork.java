package dev.agentloop.web;

import dev.agentloop.llm.http.TrustedCas;
import dev.agentloop.tool.HostPattern;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import okhttp3.Dns;

/**
 * The net as fetches see it.
 *
 * @param names looks names up
 * @param sockets connect to what was looked up
 * @param environment where proxies are named
 * @param cas whom servers may be vouched for by
 * @param privateHosts servers that may be anywhere, because the person said so
 */
record WebNetwork(
        Dns names,
        SocketFactory sockets,
        Map<String, String> environment,
        Supplier<TrustedCas> cas,
        List<HostPattern> privateHosts) {}
