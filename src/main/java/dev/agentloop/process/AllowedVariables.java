package dev.agentloop.process;

import java.util.List;
import java.util.Set;

/**
 * Names of variables that commands may see: where things are and how tools are set up. A name that
 * is missing here can be granted by the user ({@code commands.pass_env}).
 *
 * <p>Left out on purpose: {@code SSH_AUTH_SOCK} (signs for anybody), {@code GITHUB_ENV} and the
 * like (files through which a command could set variables of later steps), {@code GIT_CONFIG_*} and
 * {@code BUNDLE_*} (hold passwords without saying so), {@code JAVA_TOOL_OPTIONS} (meant for us).
 */
final class AllowedVariables {
    private static final Set<String> NAMES =
            Set.of(
                    // the user and the machine
                    "HOME",
                    "USER",
                    "LOGNAME",
                    "SHELL",
                    "PATH",
                    "PWD",
                    "TMPDIR",
                    "TMP",
                    "TEMP",
                    "TZ",
                    "LANG",
                    "LANGUAGE",
                    "HOSTNAME",
                    "WSL_DISTRO_NAME",
                    "SHLVL",
                    // the network
                    "HTTP_PROXY",
                    "HTTPS_PROXY",
                    "FTP_PROXY",
                    "ALL_PROXY",
                    "NO_PROXY",
                    "SSL_CERT_FILE",
                    "SSL_CERT_DIR",
                    "REQUESTS_CA_BUNDLE",
                    "CURL_CA_BUNDLE",
                    // compilers and linkers
                    "CC",
                    "CXX",
                    "CPP",
                    "LD",
                    "AR",
                    "CFLAGS",
                    "CXXFLAGS",
                    "CPPFLAGS",
                    "LDFLAGS",
                    "CPATH",
                    "C_INCLUDE_PATH",
                    "LIBRARY_PATH",
                    "LD_LIBRARY_PATH",
                    "MANPATH",
                    "PKG_CONFIG_PATH",
                    "SOURCE_DATE_EPOCH",
                    "SDKROOT",
                    "DEVELOPER_DIR",
                    // languages
                    "JDK_HOME",
                    "MAVEN_ARGS",
                    "MAVEN_HOME",
                    "MAVEN_OPTS",
                    "M2_HOME",
                    "ANT_HOME",
                    "SBT_OPTS",
                    "VIRTUAL_ENV",
                    "GOPATH",
                    "GOROOT",
                    "GOBIN",
                    "GOFLAGS",
                    "GOPROXY",
                    "GOPRIVATE",
                    "GONOSUMDB",
                    "GOSUMDB",
                    "GOCACHE",
                    "GOMODCACHE",
                    "GOTOOLCHAIN",
                    "GOOS",
                    "GOARCH",
                    "RUBYLIB",
                    "RUBYOPT",
                    "BUNDLE_GEMFILE",
                    "BUNDLE_PATH",
                    "PERL5LIB",
                    "NUGET_PACKAGES",
                    "DOCKER_HOST",
                    "DOCKER_CONFIG",
                    // continuous integration
                    "GITLAB_CI",
                    "BUILD_ID",
                    "BUILD_NUMBER",
                    "CI_PROJECT_DIR",
                    "CI_COMMIT_SHA",
                    "CI_COMMIT_BRANCH",
                    "CI_COMMIT_REF_NAME",
                    "CI_DEFAULT_BRANCH",
                    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
                    "GITHUB_ACTIONS",
                    "GITHUB_WORKSPACE",
                    "GITHUB_SHA",
                    "GITHUB_REF",
                    "GITHUB_REF_NAME",
                    "GITHUB_BASE_REF",
                    "GITHUB_HEAD_REF",
                    "GITHUB_REPOSITORY",
                    "GITHUB_RUN_ID",
                    "RUNNER_OS",
                    "RUNNER_ARCH",
                    "RUNNER_TEMP",
                    "RUNNER_TOOL_CACHE");

    private static final List<String> PREFIXES =
            List.of(
                    "AGENT_",
                    "ANDROID_",
                    "ASDF_",
                    "BUN_",
                    "CARGO_",
                    "CCACHE_",
                    "CGO_",
                    "CMAKE_",
                    "COMPOSER_",
                    "CONDA_",
                    "COREPACK_",
                    "CTEST_",
                    "DENO_",
                    "DOTNET_",
                    "FNM_",
                    "GEM_",
                    "GIT_AUTHOR_",
                    "GIT_COMMITTER_",
                    "GRADLE_",
                    "JAVA_HOME",
                    "LC_",
                    "MESON_",
                    "MISE_",
                    "NIX_PATH",
                    "NIX_PROFILES",
                    "NODE_",
                    "NPM_",
                    "NVM_",
                    "PHP_",
                    "PIP_",
                    "PNPM_",
                    "POETRY_",
                    "PYENV_",
                    "PYTEST_",
                    "PYTHON",
                    "RBENV_",
                    "RUST",
                    "SCCACHE_",
                    "TOX_",
                    "UV_",
                    "VCPKG_",
                    "VOLTA_",
                    "XDG_",
                    "YARN_");

    private AllowedVariables() {}

    /**
     * Whether the name is on the list.
     *
     * @param upper the name in upper case: proxies and npm write theirs in lower case
     */
    static boolean contains(String upper) {
        if (NAMES.contains(upper)) {
            return true;
        }
        for (String prefix : PREFIXES) {
            if (upper.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
