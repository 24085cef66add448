package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What compilers, package managers and their caches read in a home directory. */
final class BuildFiles {
    /** Below the home directory. Credentials that lie in them are hidden again. */
    private static final List<String> NAMES =
            List.of(
                    ".cache",
                    ".config/go",
                    ".config/fontconfig",
                    ".config/matplotlib",
                    ".config/uv",
                    ".editorconfig",
                    ".gitignore",
                    ".gitignore_global",
                    ".gitattributes",
                    ".local/bin",
                    ".local/lib",
                    ".local/pipx",
                    ".local/state/nix",
                    ".local/share/cargo",
                    ".local/share/containers/storage",
                    ".local/share/fnm",
                    ".local/share/fonts",
                    ".local/share/gem",
                    ".local/share/go",
                    ".local/share/gradle",
                    ".local/share/JetBrains/Toolbox/apps",
                    ".local/share/man",
                    ".local/share/mise",
                    ".local/share/NuGet/v3-cache",
                    ".local/share/nvm",
                    ".local/share/pipx",
                    ".local/share/pnpm",
                    ".local/share/pypoetry",
                    ".local/share/rbenv",
                    ".local/share/rtx",
                    ".local/share/rustup",
                    ".local/share/uv",
                    ".local/share/virtualenv",
                    ".local/share/virtualenvs",
                    ".local/share/zig",
                    // Java and the JVM
                    ".m2",
                    ".gradle",
                    ".ivy2",
                    ".sbt",
                    ".coursier",
                    ".lein",
                    ".clojure",
                    ".konan",
                    ".kotlin",
                    ".sdkman",
                    ".jabba",
                    ".jenv",
                    ".jdks",
                    ".bloop",
                    ".mill",
                    ".scala-build",
                    ".android",
                    "Android/Sdk",
                    // JavaScript
                    ".npm",
                    ".npm-global",
                    ".npm-packages",
                    ".node-gyp",
                    ".node_modules",
                    ".nvm",
                    ".nvmrc",
                    ".nodenv",
                    ".fnm",
                    ".volta",
                    ".yarn",
                    ".pnpm-store",
                    ".pnpm",
                    ".bun",
                    ".deno",
                    ".corepack",
                    // Python
                    ".pyenv",
                    ".python-version",
                    ".venv",
                    ".venvs",
                    ".virtualenvs",
                    ".conda",
                    ".mamba",
                    ".pixi",
                    ".rye",
                    ".uv",
                    ".keras",
                    ".torch",
                    "anaconda3",
                    "mambaforge",
                    "miniconda3",
                    "miniforge3",
                    "micromamba",
                    "nltk_data",
                    // Rust, Go, C and C++, assembly
                    ".cargo",
                    ".rustup",
                    "go",
                    "sdk",
                    ".gvm",
                    ".goenv",
                    ".ccache",
                    ".conan",
                    ".conan2",
                    ".vcpkg",
                    ".xmake",
                    ".platformio",
                    ".arduino15",
                    ".espressif",
                    ".emscripten",
                    ".emscripten_cache",
                    ".wasmtime",
                    ".wasmer",
                    // Ruby, PHP, Perl, Lua, R, Julia
                    ".rbenv",
                    ".rvm",
                    ".rubies",
                    ".gem",
                    ".composer",
                    ".cpan",
                    ".cpanm",
                    ".perlbrew",
                    ".plenv",
                    "perl5",
                    ".luarocks",
                    ".julia",
                    "R",
                    // others
                    ".asdf",
                    ".asdfrc",
                    ".tool-versions",
                    ".mise.toml",
                    ".dotnet",
                    ".nuget",
                    ".templateengine",
                    ".swiftpm",
                    ".swiftly",
                    ".cocoapods",
                    ".pub-cache",
                    ".dart-tool",
                    ".flutter",
                    "flutter",
                    ".ghcup",
                    ".cabal",
                    ".stack",
                    ".opam",
                    ".elan",
                    ".mix",
                    ".hex",
                    ".kerl",
                    ".kiex",
                    ".nimble",
                    ".choosenim",
                    ".zvm",
                    ".bazel",
                    ".bazeliskrc",
                    ".nix-profile",
                    ".nix-defexpr",
                    ".linuxbrew",
                    ".texlive",
                    "texmf",
                    ".fonts",
                    ".terraform.d/plugins",
                    ".terraform.d/plugin-cache",
                    ".tflint.d",
                    ".proto",
                    ".foundry/bin",
                    ".svm",
                    ".clang-format",
                    ".rustfmt.toml",
                    ".prettierrc",
                    ".eslintrc",
                    ".inputrc",
                    ".terminfo",
                    ".locale");

    /** Variables that name a folder of a tool or of its cache; some hold several. */
    private static final List<String> VARIABLES =
            List.of(
                    "JAVA_HOME",
                    "JDK_HOME",
                    "GRAALVM_HOME",
                    "M2_HOME",
                    "MAVEN_HOME",
                    "GRADLE_HOME",
                    "GRADLE_USER_HOME",
                    "SDKMAN_DIR",
                    "ANDROID_HOME",
                    "ANDROID_SDK_ROOT",
                    "ANDROID_NDK_HOME",
                    "COURSIER_CACHE",
                    "GOROOT",
                    "GOPATH",
                    "GOCACHE",
                    "GOMODCACHE",
                    "CARGO_HOME",
                    "RUSTUP_HOME",
                    "CARGO_TARGET_DIR",
                    "SCCACHE_DIR",
                    "CCACHE_DIR",
                    "NVM_DIR",
                    "NVM_BIN",
                    "FNM_DIR",
                    "VOLTA_HOME",
                    "PNPM_HOME",
                    "BUN_INSTALL",
                    "DENO_DIR",
                    "DENO_INSTALL",
                    "COREPACK_HOME",
                    "NPM_CONFIG_CACHE",
                    "npm_config_cache",
                    "YARN_CACHE_FOLDER",
                    "NODE_PATH",
                    "PYENV_ROOT",
                    "VIRTUAL_ENV",
                    "CONDA_PREFIX",
                    "MAMBA_ROOT_PREFIX",
                    "PIP_CACHE_DIR",
                    "UV_CACHE_DIR",
                    "UV_PYTHON_INSTALL_DIR",
                    "POETRY_CACHE_DIR",
                    "PYTHONPATH",
                    "PYTHONUSERBASE",
                    "WORKON_HOME",
                    "RBENV_ROOT",
                    "GEM_HOME",
                    "GEM_PATH",
                    "rvm_path",
                    "ASDF_DIR",
                    "ASDF_DATA_DIR",
                    "MISE_DATA_DIR",
                    "DOTNET_ROOT",
                    "NUGET_PACKAGES",
                    "FLUTTER_ROOT",
                    "PUB_CACHE",
                    "OPAMROOT",
                    "GHCUP_INSTALL_BASE_PREFIX",
                    "STACK_ROOT",
                    "CABAL_DIR",
                    "JULIA_DEPOT_PATH",
                    "R_LIBS_USER",
                    "PERL5LIB",
                    "LD_LIBRARY_PATH",
                    "PKG_CONFIG_PATH",
                    "VCPKG_ROOT",
                    "CONAN_HOME",
                    "EMSDK",
                    "IDF_PATH",
                    "HOMEBREW_PREFIX",
                    "XDG_CACHE_HOME",
                    "PLAYWRIGHT_BROWSERS_PATH");

    private static final Path HOMEBREW = Path.of("/home/linuxbrew/.linuxbrew");

    private BuildFiles() {}

    /** Those that exist, as they are named: some are links. */
    static List<Path> of(Path home, Map<String, String> environment) {
        List<Path> found = new ArrayList<>();
        for (String name : NAMES) {
            add(home.resolve(name), found);
        }
        add(HOMEBREW, found);
        for (String variable : VARIABLES) {
            for (String folder : environment.getOrDefault(variable, "").split(":")) {
                if (folder.startsWith("/")) {
                    add(Path.of(folder), found);
                }
            }
        }
        for (String folder : environment.getOrDefault("PATH", "").split(":")) {
            if (folder.startsWith("/")) {
                program(Path.of(folder).normalize(), home, found);
            }
        }
        return found;
    }

    /** Programs of a folder {@code bin} use what lies beside it. */
    private static void program(Path folder, Path home, List<Path> found) {
        add(folder, found);
        add(real(folder), found);
        Path above = folder.getParent();
        if (above == null || !folder.endsWith("bin") || above.equals(home)) {
            return;
        }
        if (folder.startsWith(home) && !isDotted(home.relativize(folder))) {
            add(above, found);
            return;
        }
        for (String beside : List.of("lib", "lib64", "libexec")) {
            add(above.resolve(beside), found);
        }
    }

    /** Programs keep their settings and what they know of the person in such folders. */
    private static boolean isDotted(Path path) {
        return path.toString().startsWith(".");
    }

    private static void add(Path path, List<Path> found) {
        if (Files.exists(path)) {
            found.add(path);
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }
}
