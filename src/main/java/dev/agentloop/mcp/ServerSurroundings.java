package dev.agentloop.mcp;

import dev.agentloop.mcp.channel.Authorizer;
import dev.agentloop.mcp.channel.Channel;
import dev.agentloop.mcp.channel.HttpChannel;
import dev.agentloop.mcp.channel.HttpNetwork;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.RemoteServer;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.mcp.channel.StdioChannel;
import dev.agentloop.mcp.oauth.LoginPlace;
import dev.agentloop.mcp.oauth.OAuthAuthorizer;
import dev.agentloop.mcp.oauth.OAuthHttp;
import dev.agentloop.process.ProcessRunner;
import java.nio.file.Path;
import java.util.Optional;
import okhttp3.HttpUrl;

/**
 * What servers are placed into.
 *
 * @param processes starts those that are programs, and sees to their end
 * @param workspace where they work
 * @param version of this program
 * @param seesImages whether the model does
 * @param network the way to those of the web
 * @param place where logins to those are kept
 * @param takesDefaults whether a server that asks the person gets the defaults of its form; else it
 *     is told that nobody can be asked
 */
public record ServerSurroundings(
        ProcessRunner processes,
        Path workspace,
        String version,
        boolean seesImages,
        HttpNetwork network,
        LoginPlace place,
        boolean takesDefaults) {
    /** The same with the defaults of a form as the answer to it. */
    public ServerSurroundings takingDefaults() {
        return new ServerSurroundings(
                processes, workspace, version, seesImages, network, place, true);
    }

    Optional<Elicitor> elicitor() {
        return takesDefaults ? Optional.of(new FormDefaults()) : Optional.empty();
    }

    Channel channel(ServerSpec spec) throws McpException {
        return switch (spec.way()) {
            case ServerSpec.Program program -> new StdioChannel(program, processes, workspace);
            case ServerSpec.Remote remote -> remote(remote);
        };
    }

    private Channel remote(ServerSpec.Remote remote) throws McpException {
        HttpUrl url = HttpUrl.get(remote.url());
        if (url == null) {
            throw new McpException(remote.url() + " is no http or https address");
        }
        Authorizer authorizer =
                remote.token()
                        .map(Authorizer::of)
                        .orElseGet(() ->
                                new OAuthAuthorizer(
                                        url,
                                        remote.client(),
                                        new OAuthHttp(network, url, remote.anywhere()),
                                        place));
        return new HttpChannel(new RemoteServer(remote, url, network, authorizer));
    }
}
