package dev.agentloop.secret.pattern;

import java.util.ArrayList;
import java.util.List;

/** The kinds of secrets that can be told by their looks. */
public final class SecretPatterns {
    private static final int ANY = Integer.MAX_VALUE;

    private SecretPatterns() {}

    public static List<Trigger> all() {
        List<Trigger> all = new ArrayList<>();
        for (String start : List.of("AKIA", "ASIA", "ABIA", "ACCA")) {
            all.add(new AwsKey(start));
        }
        addForges(all);
        addServices(all);
        addModels(all);
        addAssigned(all);
        all.add(new WebToken());
        all.add(new PrivateKey());
        all.add(new UrlPassword());
        return all;
    }

    private static void addForges(List<Trigger> all) {
        for (String start : List.of("ghp_", "gho_", "ghu_", "ghs_", "ghr_")) {
            all.add(new Token("GITHUB_TOKEN", start, Chars.DOTTED, 36));
        }
        all.add(new Token("GITHUB_TOKEN", "github_pat_", Chars.WORD, 22));
        for (String kind :
                List.of(
                        "pat", "dt", "rt", "rtr", "cbt", "ptt", "ft", "imt", "agent", "soat",
                        "ffct")) { // a routable one has parts behind dots
            all.add(new Token("GITLAB_TOKEN", "gl" + kind + "-", Chars.DOTTED, 20));
        }
        all.add(new Token("GITLAB_TOKEN", "gloas-", Chars.TOKEN, 40));
        all.add(new Token("GITLAB_TOKEN", "GR1348941", Chars.TOKEN, 20));
        all.add(new Token("NPM_TOKEN", "npm_", Chars.ALNUM, 36));
        all.add(new Token("PYPI_TOKEN", "pypi-AgE", Chars.TOKEN, 50));
    }

    private static void addServices(List<Trigger> all) {
        for (String kind : List.of("a", "b", "c", "d", "e", "o", "p", "r", "s")) {
            all.add(new Token("SLACK_TOKEN", "xox" + kind + "-", Chars.TOKEN, 10));
        }
        all.add(new Token("SLACK_TOKEN", "xoxe.xox", Chars.DOTTED, 10));
        all.add(new Token("SLACK_TOKEN", "xapp-", Chars.TOKEN, 20));
        all.add(
                new Token(
                        "SLACK_WEBHOOK",
                        "hooks.slack.com/services/",
                        new Chars("A-Za-z0-9/_"),
                        30));
        all.add(new Token("GOOGLE_API_KEY", "AIza", Chars.TOKEN, 35));
        all.add(new Token("GOOGLE_TOKEN", "ya29.", Chars.DOTTED, 20));
        all.add(new Token("GOOGLE_TOKEN", "1//0", Chars.TOKEN, 40));
        all.add(new Token("GOOGLE_SECRET", "GOCSPX-", Chars.TOKEN, 20));
        for (String start : List.of("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_")) {
            all.add(new Token("STRIPE_KEY", start, new Chars("A-Za-z0-9+/="), 16));
        }
    }

    private static void addModels(List<Trigger> all) {
        all.add(new Token("API_KEY", "sk-", Chars.TOKEN, 20, ANY, true));
        all.add(new Token("API_KEY", "gsk_", Chars.ALNUM, 40));
        all.add(new Token("API_KEY", "xai-", Chars.ALNUM, 40));
        all.add(new Token("API_KEY", "hf_", Chars.ALNUM, 30));
    }

    /** Some secrets look like nothing: what is written in front of them tells. */
    private static void addAssigned(List<Trigger> all) {
        for (String start : List.of("ecret_access_key", "ECRET_ACCESS_KEY", "ecretAccessKey")) {
            all.add(new Assigned("AWS_SECRET", start, true, Chars.BASE64, 40, 40));
        }
        for (String start : List.of("ession_token", "ESSION_TOKEN", "essionToken")) {
            all.add(new Assigned("AWS_TOKEN", start, true, Chars.BASE64, 100, ANY));
        }
        for (String start :
                List.of("api_key", "API_KEY", "apiKey", "apikey", "APIKEY", "api-key", "Api-Key")) {
            all.add(new Assigned("API_KEY", start, true, Chars.TOKEN, 24, ANY));
        }
        all.add(new Assigned("NPM_TOKEN", "_authToken", true, Chars.DOTTED, 16, ANY));
        Chars bearer = new Chars("A-Za-z0-9._~+/-");
        all.add(new Assigned("BEARER_TOKEN", "Bearer ", false, bearer, 20, ANY));
        all.add(new Assigned("BEARER_TOKEN", "bearer ", false, bearer, 20, ANY));
        all.add(new BasicAuth());
    }
}
