package dev.agentloop.sandbox.home;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MavenSettingsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<settings/>",
                "<?xml version=\"1.0\"?>\n<settings xmlns=\"http://maven.apache.org/SETTINGS/1.0.0\">"
                        + "\n</settings>\n",
                "<!-- mine --><settings><offline>true</offline></settings>",
                "<settings><password>${env.P}</password><username>ann</username></settings>",
                "<settings><passphrase></passphrase></settings>",
                "<settings><!-- <password>proxypass</password> --></settings>",
                "<settings><url>https://repo.example.org/maven?x=1&amp;y=2</url></settings>"
            })
    void harmless(String text) {
        assertTrue(MavenSettings.areHarmless(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "password",
                "<settings>",
                "<settings/>password",
                "<settings><a></settings>",
                "<!DOCTYPE x [<!ENTITY a \"b\">]><settings/>",
                "<settings><password>{COQLCE6DU6GtcS5P=}</password></settings>",
                "<settings><password >x</password></settings>",
                "<settings><password><![CDATA[x]]></password></settings>",
                "<settings><gpg.passphrase>x</gpg.passphrase></settings>",
                "<settings><url>https://ann:pw@repo.example.org</url></settings>",
                "<settings><name>Authorization</name><value>Bearer x</value></settings>"
            })
    void notForCommands(String text) {
        assertFalse(MavenSettings.areHarmless(text));
    }
}
