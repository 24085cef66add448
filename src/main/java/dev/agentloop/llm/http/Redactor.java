package dev.agentloop.llm.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/** Takes secrets out of texts: as they are, URL-encoded, and in base64. */
final class Redactor {
    private static final int MIN_LENGTH = 6; // shorter "keys" of local servers occur in any text

    private final List<String> forms = new ArrayList<>();

    Redactor(Collection<String> secrets) {
        for (String secret : secrets) {
            if (secret.length() >= MIN_LENGTH) {
                byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
                forms.add(secret);
                forms.add(URLEncoder.encode(secret, StandardCharsets.UTF_8));
                forms.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
                forms.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
            }
        }
    }

    String clean(String text) {
        String cleaned = text;
        for (String form : forms) {
            cleaned = cleaned.replace(form, "[key]");
        }
        return cleaned;
    }
}
