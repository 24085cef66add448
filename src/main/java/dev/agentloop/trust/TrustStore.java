package dev.agentloop.trust;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.storage.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workspaces that a person trusts, each as it was when that was said, and what is always
 * allowed in each. One file, {@code workspaces.json}, readable by its owner only.
 */
public final class TrustStore {
    private final PrivateFile file;

    /**
     * @param folder of the user's state, outside of every workspace; need not exist
     */
    public TrustStore(Path folder) {
        this.file = new PrivateFile(folder, "workspaces.json");
    }

    /** What was decided about a workspace. */
    public enum Standing {
        /** Trusted, and nothing that the decision was bound to has changed. */
        TRUSTED,
        /** Was trusted, but its configuration is another one now. */
        CHANGED,
        /** Another folder at this place, or another repository in it, was trusted. */
        REPLACED,
        UNKNOWN
    }

    /**
     * How a workspace stands.
     *
     * @throws IOException if the file is there but cannot be read or understood
     */
    public Standing standing(WorkspaceIdentity workspace) throws IOException {
        for (Map<String, Object> entry : load()) {
            if (!workspace.root().toString().equals(entry.get("root"))) {
                continue;
            }
            boolean same =
                    workspace.folderKey().equals(entry.get("folder"))
                            && workspace.gitDir().equals(entry.get("git_dir"));
            boolean unchanged =
                    workspace.doubt().isEmpty()
                            && workspace.config().equals(entry.get("config_sha256"));
            return !same ? Standing.REPLACED : unchanged ? Standing.TRUSTED : Standing.CHANGED;
        }
        return Standing.UNKNOWN;
    }

    /**
     * Trusts a workspace as it is now; what was always allowed there stays only if it is the same.
     */
    public void trust(WorkspaceIdentity workspace) throws IOException {
        if (!workspace.doubt().isEmpty()) {
            throw new IllegalArgumentException(workspace.doubt());
        }
        file.change(() -> {
            List<Map<String, Object>> entries = load();
            List<String> allowed = allowed(entries, workspace);
            entries.removeIf(entry -> isAbout(entry, workspace));
            entries.add(entry(workspace, allowed));
            return text(entries);
        });
    }

    /** Takes the trust back, and all that was allowed; false if there was none. */
    public boolean forget(WorkspaceIdentity workspace) throws IOException {
        boolean[] found = {false};
        file.change(() -> {
            List<Map<String, Object>> entries = load();
            found[0] = entries.removeIf(entry -> isAbout(entry, workspace));
            return text(entries);
        });
        return found[0];
    }

    /** Rules that a person wants to hold in this workspace always, in the order they were given. */
    public List<String> allowed(WorkspaceIdentity workspace) throws IOException {
        return allowed(load(), workspace);
    }

    /** Adds a rule to those that always hold in a trusted workspace. */
    public void allow(WorkspaceIdentity workspace, String rule) throws IOException {
        file.change(() -> {
            List<Map<String, Object>> entries = load();
            List<String> rules = new ArrayList<>(allowed(entries, workspace));
            if (!rules.contains(rule)) {
                rules.add(rule);
            }
            entries.removeIf(entry -> isAbout(entry, workspace));
            entries.add(entry(workspace, rules));
            return text(entries);
        });
    }

    private static List<String> allowed(
            List<Map<String, Object>> entries, WorkspaceIdentity workspace) {
        List<String> rules = new ArrayList<>();
        for (Map<String, Object> entry : entries) {
            boolean same =
                    isAbout(entry, workspace) && workspace.folderKey().equals(entry.get("folder"));
            if (same && entry.get("allow") instanceof List<?> texts) {
                texts.forEach(text -> rules.add(String.valueOf(text)));
            }
        }
        return rules;
    }

    private static boolean isAbout(Map<String, Object> entry, WorkspaceIdentity workspace) {
        return workspace.root().toString().equals(entry.get("root"));
    }

    private static Map<String, Object> entry(WorkspaceIdentity workspace, List<String> allowed) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("root", workspace.root().toString());
        entry.put("folder", workspace.folderKey());
        entry.put("git_dir", workspace.gitDir());
        entry.put("config_sha256", workspace.config());
        entry.put("allow", allowed);
        return entry;
    }

    private List<Map<String, Object>> load() throws IOException {
        List<Map<String, Object>> entries = new ArrayList<>();
        String text = file.read();
        if (text.isEmpty()) {
            return entries;
        }
        try {
            for (JsonValue entry : Json.parse(text).at("workspaces").items()) {
                Map<String, Object> fields = new LinkedHashMap<>();
                entry.keys().forEach(key -> fields.put(key, value(entry.at(key))));
                entries.add(fields);
            }
            return entries;
        } catch (JsonException e) {
            throw new IOException(
                    file.path() + " is damaged (" + e.getMessage() + "); move it away", e);
        }
    }

    private static Object value(JsonValue value) {
        return value.isArray()
                ? value.items().stream().map(JsonValue::text).toList()
                : value.text();
    }

    private static String text(List<Map<String, Object>> entries) {
        JsonValue value = new JsonValue(Map.of("workspaces", entries));
        return Json.text(value::writeTo);
    }
}
