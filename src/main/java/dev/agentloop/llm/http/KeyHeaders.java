package dev.agentloop.llm.http;

import java.util.Map;
import okhttp3.HttpUrl;
import okhttp3.Request;

/** Headers that only one server may see. */
public record KeyHeaders(HttpUrl owner, Map<String, String> headers) {
    /** The request with the headers, if it goes to the owner; else unchanged. */
    Request addTo(Request request) {
        HttpUrl url = request.url();
        if (!url.scheme().equals(owner.scheme())
                || !url.host().equals(owner.host())
                || url.port() != owner.port()) {
            return request;
        }
        Request.Builder with = request.newBuilder();
        headers.forEach(with::header);
        return with.build();
    }

    @Override
    public String toString() {
        return "KeyHeaders[" + owner.host() + "]";
    }
}
