package dev.agentloop.sandbox.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitConfigsTest {
    @TempDir private Path home;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[http]\n\tproxy = ann:canary@proxy.example:8080",
                "[http]\n\tproxy = \"ann:canary@proxy.example\"",
                "[http]\n\tproxy = http://an\\\nn:can\\\nary@proxy.example",
                "[http]extraHeader=\"X: can\"ary",
                "\u00ef\u00bb\u00bf[HTTP \"https://x\"]\r\n\tEXTRAHEADER = X: canary\r\n",
                "[url \"https:/\\/ann:canary@host/\"]\n\tinsteadOf = a",
                "[url \"https://a\\nn:canary\\@host/\"]\n\tinsteadOf = a",
                "[credential]\n\thelper = \"!f() { echo \\\"password=canary\\\"; }; f\"",
                "[credential]\n\thelper = !vault --token canary",
                "[core]\n\tsshCommand = sshpass -p canary ssh",
                "[core]\n\tsshCommand = sshpass -pcanary ssh",
                "[alias]\n\tx = !curl -u ann:canary https://x",
                "[alias]\n\tx = \"!deploy --password 'canary'\"",
                "[filter \"openssl\"]\n\tclean = openssl enc -aes-256-cbc -k canary",
                "[filter \"openssl\"]\n\tsmudge = openssl enc -d -pass pass:canary",
                "[gpg]\n\tprogram = gpg --passphrase canary",
                "[hub]\n\toauth = canary",
                "[gitlab]\n\tpat = canary",
                "[db]\n\tuserPwd = canary",
                "[x]\n\ttoken2 = canary",
                "[x]\n\ttoken-prod = canary",
                "[x]\n\tpass-phrase = canary",
                "[x]\n\tclientSecretValue = canary",
                "[x]\n\ttoken = (canary)",
                "[x]\n\ttoken = :canary",
                "[x]\n\ttoken = \"\" = {canary}",
                "[token]\n\tvalue = canary",
                "[user]\n\tname = x ; password: canary",
                "#[x]\n#\ttoken = canary\n[user]\n\tname = x",
            })
    void commandsSeeNoSecretHoweverItIsWritten(String text) throws IOException {
        assertFalse(String.join("", seen(text)).contains("canary"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[credential]\n\thelper = cache --timeout=3600\n\tuseHttpPath = true",
                "[credential \"https://x\"]\n\toauthTokenURL = /login/oauth/access_token",
                "[http]\n\tproxy = http://proxy.example:8080\n\tcookieFile = ~/.cookies",
                "[http]\n\tsslCertPasswordProtected = true\n\tproxyAuthMethod = basic",
                "[user]\n\tsigningKey = ABCDEF0123456789\n\temail = ann@x.example",
                "[url \"git@github.com:\"]\n\tinsteadOf = https://github.com/",
                "[alias]\n\ttokens = grep token\n\tcp = cherry-pick\n\tpw = \"!cat $PWD/x\"",
                "[filter \"x\"]\n\tclean = openssl enc -pass env:X",
                "# ask for a token at https://x.example\n[core]\n\teditor = vim",
            })
    void settingsWithoutOneStayTheUsersOwn(String text) throws IOException {
        assertEquals(List.of(text), seen(text));
    }

    private List<String> seen(String text) throws IOException {
        Path file = home.resolve(".gitconfig");
        Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
        GitConfigs configs = GitConfigs.of(home, Map.of());
        List<Path> hidden = new ArrayList<>();
        configs.sort(path -> false, new ArrayList<>(), hidden);
        List<String> copy = configs.copy(hidden::contains).texts();
        return copy.isEmpty() ? List.of(text) : copy;
    }
}
