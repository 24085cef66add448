package dev.agentloop.mcp.channel;

import dev.agentloop.control.Cancellation;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whom a server of the web lets in. */
public interface Authorizer {
    /** The bearer token, if there is one. */
    Optional<String> token() throws McpException;

    /**
     * After a refusal: gets a token that may be accepted.
     *
     * @return whether it is worth while to ask again
     * @throws McpException if there is no way in
     */
    boolean renew(Challenge challenge, Cancellation cancellation) throws McpException;

    /**
     * A refusal.
     *
     * @param status 401 or 403
     * @param header WWW-Authenticate; empty if there was none
     * @param used the token that was refused; empty if there was none
     */
    record Challenge(int status, String header, String used) {
        /** A parameter of the header; empty if it is not there. */
        public String parameter(String name) {
            Matcher matcher =
                    Pattern.compile(
                                    "(?i)(?:^|[\\s,])"
                                            + name
                                            + "\\s*=\\s*(?:\"([^\"]*)\"|([^\\s,]+))")
                            .matcher(header);
            if (!matcher.find()) {
                return "";
            }
            return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        }
    }

    /** A token that the user has named. */
    static Authorizer of(String token) {
        return new Authorizer() {
            @Override
            public Optional<String> token() {
                return Optional.of(token);
            }

            @Override
            public boolean renew(Challenge challenge, Cancellation cancellation)
                    throws McpException {
                throw new McpException(
                        "it does not accept the token of token_env (HTTP "
                                + challenge.status()
                                + ")");
            }
        };
    }
}
