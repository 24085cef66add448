package dev.agentloop.secret.pattern;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VariableNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPENAI_API_KEY",
                "GITHUB_TOKEN",
                "MY_SECRET_X",
                "PGPASSWORD",
                "MYSQL_PWD",
                "DB_PASS",
                "SMTPPASS",
                "AWS_SECRET_ACCESS_KEY",
                "GOOGLE_APPLICATION_CREDENTIALS",
                "NPM_AUTH",
                "GITLAB_PAT",
                "SENTRY_DSN",
                "SESSION_COOKIE",
                "APIKEY",
                "TOKEN2",
                "DB_PASS_PROD",
                "_AUTH",
                "PASS",
                "JWT",
                "SSH_KEY_PASSPHRASE",
                "MYTOKEN",
                "OPENAI_APIKEYS",
                "ACCESSTOKENS",
                "APIKEYPROD",
                "TOKENGITHUB",
                "PASSCODE",
                "DOCKER_AUTH_CONFIG",
                "AZURE_STORAGE_CONNECTION_STRING",
                "SLACK_WEBHOOK_URL",
                "DISCORD_WEBHOOK",
                "DB_PW",
                "LDAP_BINDPW",
                "WALLET_MNEMONIC",
                "SEED_PHRASE",
                "STRIPE_SK"
            })
    void secrets(String name) {
        assertTrue(VariableName.isSecret(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PWD",
                "OLDPWD",
                "COMPASS_HEADING",
                "BYPASS_CACHE",
                "PASSENGER_COUNT",
                "PASS_RATE",
                "GIT_AUTHOR_NAME",
                "AUTHOR",
                "MONKEY",
                "KEYBOARD",
                "TOKENIZERS_PARALLELISM",
                "PATH",
                "PATTERN",
                "XAUTHORITY",
                "HOME",
                "SPACE",
                "MONKEYS",
                "PRESS",
                "LANG_SK",
                "WEBHOOK_PORT",
                "RANDOM_SEED",
                "CONNECTION_LIMIT",
                "SECRETARY"
            })
    void others(String name) {
        assertFalse(VariableName.isSecret(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH_AUTH_SOCK", "TOKEN_FILE", "GOOGLE_APPLICATION_CREDENTIALS"})
    void placesOfSecrets(String name) {
        assertTrue(VariableName.isPlace(name, "/run/user/1/x"));
        assertFalse(VariableName.isPlace(name, "s3cr3t"));
    }

    @ParameterizedTest
    @CsvSource({
        "PASSWORD_MIN_LENGTH, 12",
        "TOKEN_TTL, 15m",
        "MAX_TOKENS, 4096",
        "PASSWORD_REQUIRED, true",
        "USE_AUTH, 0"
    })
    void rulesAboutSecrets(String name, String value) {
        assertTrue(VariableName.isRule(name, value));
    }

    @ParameterizedTest
    @CsvSource({
        "DB_PASSWORD, 1234",
        "PASSWORD_MIN_LENGTH, hunter2",
        "TOKEN_TTL, 1234567890123456",
        "API_KEY, truest"
    })
    void secretsInSpiteOfTheirRules(String name, String value) {
        assertFalse(VariableName.isRule(name, value));
    }
}
