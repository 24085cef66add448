package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A66")
@DisplayName("proxies of the environment")
final class EnvProxiesTest {
    private static final Map<String, String> BOTH =
            Map.of(
                    "HTTPS_PROXY",
                    "http://us%40er:p%3Ass+1@proxy.corp:3128",
                    "http_proxy",
                    "plain.corp:8080",
                    "NO_PROXY",
                    "intra.corp, .lab.corp,10.0.0.0/8,[fd00::]/16,*.star.corp,api.x:8443");

    @ParameterizedTest(name = "{0}://{1}:{2} goes through {3}")
    @CsvSource({
        "https,api.openai.com,443,proxy.corp:3128",
        "http,api.openai.com,80,plain.corp:8080",
        "https,intra.corp,443,",
        "https,deep.intra.corp,443,",
        "https,notintra.corp,443,proxy.corp:3128",
        "https,a.lab.corp,443,",
        "https,a.star.corp,443,",
        "https,api.x,8443,",
        "https,api.x,443,proxy.corp:3128",
        "https,10.1.2.3,443,",
        "https,11.1.2.3,443,proxy.corp:3128",
        "https,fd00::1,443,",
        "https,fd01::1,443,proxy.corp:3128",
        "http,localhost,11434,",
        "http,127.0.0.1,11434,",
        "http,::1,11434,",
    })
    void choosesAsCurlDoes(String scheme, String host, int port, String proxy) {
        assertEquals(proxy, new EnvProxies(BOTH).nameFor(scheme, host, port));
    }

    @Test
    void allProxyFillsIn() {
        EnvProxies proxies = new EnvProxies(Map.of("ALL_PROXY", "socks5://s.corp"));

        assertEquals("s.corp", proxies.nameFor("https", "api.x", 443));
    }

    @Test
    void aStarTurnsProxiesOff() {
        EnvProxies proxies = new EnvProxies(Map.of("HTTPS_PROXY", "p:1", "no_proxy", "*"));

        assertNull(proxies.nameFor("https", "api.x", 443));
    }

    @Test
    void userAndPasswordAreDecoded() {
        // us@er and p:ss+1, in base64
        assertEquals(
                "Basic dXNAZXI6cDpzcysx",
                new EnvProxies(BOTH).authorization("https", "api.openai.com", 443));
        assertNull(new EnvProxies(BOTH).authorization("http", "api.openai.com", 80));
    }

    @Test
    void nonsenseIsIgnored() {
        assertNull(
                new EnvProxies(Map.of("HTTPS_PROXY", "::::", "HTTP_PROXY", "  "))
                        .nameFor("https", "api.x", 443));
    }
}
