package dev.agentloop.sandbox.git.settings;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.settings.ConfigText.Setting;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code git submodule init} would write into the settings of the repository, as variables for
 * a command that cannot write there: git takes a submodule whose address it finds in them for one
 * that is registered. They give commands nothing that these could not set themselves.
 */
public final class SubmoduleSettings {
    private static final int MOST = 100; // submodules; each is two variables, or four
    private static final String COUNT = "GIT_CONFIG_COUNT";

    private final Path workspace;
    private final List<Setting> config;
    private final List<Setting> told = new ArrayList<>();

    private SubmoduleSettings(Path workspace, List<Setting> config) {
        this.workspace = workspace;
        this.config = config;
    }

    /**
     * None if all submodules are registered, or there are none.
     *
     * @param store folder of the repository with its settings
     */
    public static Map<String, String> variables(Path workspace, Path store) {
        Path modules = workspace.resolve(".gitmodules");
        if (!Files.isRegularFile(modules, LinkOption.NOFOLLOW_LINKS)) {
            return Map.of();
        }
        Optional<List<Setting>> config = settings(store.resolve("config"));
        if (config.isEmpty()) {
            return Map.of();
        }
        SubmoduleSettings settings = new SubmoduleSettings(workspace, config.get());
        settings.tell(settings(modules).orElse(List.of()));
        return settings.variables();
    }

    /** Empty if they cannot be read for certain. */
    private static Optional<List<Setting>> settings(Path file) {
        return GitFiles.bytes(file, GitFiles.MOST_SETTINGS).flatMap(ConfigText::read);
    }

    private void tell(List<Setting> modules) {
        int left = MOST;
        for (Setting module : modules) {
            if (module.name().equals("submodule.url") && !isSet(module) && left-- > 0) {
                address(module.value())
                        .filter(GitSettings::isPlainAddress)
                        .ifPresent(url ->
                                told.add(new Setting("submodule", module.part(), "url", url)));
            }
        }
        for (Setting module : modules) {
            boolean update =
                    module.name().equals("submodule.update")
                            && GitSettings.UPDATES.contains(module.value());
            if (update && !isSet(module) && isTold(module.part())) {
                told.add(module);
            }
        }
    }

    private boolean isSet(Setting setting) {
        return config.stream().anyMatch(one -> one.fullName().equals(setting.fullName()));
    }

    private boolean isTold(String name) {
        return told.stream().anyMatch(one -> one.part().equals(name));
    }

    /** As git writes it: relative ones begin at the remote, or at the repository without one. */
    private Optional<String> address(String said) {
        if (!said.startsWith("./") && !said.startsWith("../")) {
            return Optional.of(said);
        }
        List<Setting> remotes =
                config.stream().filter(one -> one.name().equals("remote.url")).toList();
        if (remotes.size() > 1) {
            return Optional.empty(); // which of them counts depends on the branch
        }
        String base = remotes.isEmpty() ? workspace.toString() : remotes.getFirst().value();
        boolean whole = base.startsWith("/") || base.contains(":");
        return whole ? joined(base, said) : Optional.empty();
    }

    private static Optional<String> joined(String base, String said) {
        String at = base.replaceAll("/+$", "");
        String rest = said;
        String between = "/";
        while (rest.startsWith("./") || rest.startsWith("../")) {
            if (rest.startsWith("../")) {
                int slash = at.lastIndexOf('/');
                int cut = slash < 0 ? at.lastIndexOf(':') : slash;
                if (cut < 0) {
                    return Optional.empty();
                }
                between = slash < 0 ? ":" : "/";
                at = at.substring(0, cut);
            }
            rest = rest.substring(rest.indexOf('/') + 1);
        }
        return Optional.of(at + between + rest);
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        if (!told.isEmpty()) {
            variables.put(COUNT, "" + told.size());
        }
        for (int i = 0; i < told.size(); i++) {
            variables.put("GIT_CONFIG_KEY_" + i, told.get(i).fullName());
            variables.put("GIT_CONFIG_VALUE_" + i, told.get(i).value());
        }
        return variables;
    }
}
