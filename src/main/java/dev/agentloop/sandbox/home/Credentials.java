package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where programs keep keys, tokens, passwords and what a person has typed. Most of them are out of
 * sight with the home directory; the list counts for folders that builds read and for a home that
 * is the workspace.
 */
final class Credentials {
    /** Below the home directory. */
    private static final List<String> IN_HOME =
            List.of(
                    // keys, passwords, mail, browsers
                    ".ssh", ".gnupg", ".pki", ".password-store", ".local/share/keyrings",
                    ".local/share/kwalletd", ".local/share/pass", ".config/keepassxc", ".config/Bitwarden",
                    ".config/Bitwarden CLI", ".config/1Password", ".config/op", ".config/age",
                    ".config/sops", ".age", ".mozilla", ".thunderbird", ".config/google-chrome",
                    ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge",
                    ".config/vivaldi", ".config/opera", ".cache/google-chrome", ".cache/chromium",
                    ".cache/mozilla", ".cache/thunderbird", ".cache/BraveSoftware",
                    ".cache/microsoft-edge", ".var/app", "snap", ".config/Signal",
                    ".config/Slack", ".config/discord", ".local/share/TelegramDesktop",
                    ".local/share/evolution", ".config/evolution", ".config/goa-1.0", ".mutt",
                    ".muttrc", ".config/mutt", ".config/neomutt", ".mbsyncrc", ".msmtprc",
                    ".config/msmtp", ".fetchmailrc", ".offlineimaprc", ".irssi", ".weechat",
                    ".authinfo", ".authinfo.gpg", ".netrc", ".netrc.gpg", ".smbcredentials",
                    ".google_authenticator", ".config/authy", ".config/protonmail", ".config/filezilla",
                    ".config/remmina", ".local/share/remmina", ".vnc", ".rdp", ".lftprc",
                    ".local/share/lftp", ".ncftp", ".xauthority", ".Xauthority", ".ICEauthority",
                    // clouds and servers
                    ".aws", ".azure", ".config/gcloud", ".boto", ".gsutil", ".s3cfg", ".s3cmd",
                    ".mc", ".minio", ".config/rclone", ".rclone.conf", ".oci", ".aliyun", ".tencentcloud",
                    ".bluemix", ".ibmcloud", ".config/doctl", ".config/hcloud", ".config/linode-cli",
                    ".config/scw", ".config/vultr-cli.yaml", ".config/upctl.yaml", ".config/openstack",
                    ".config/yandex-cloud", ".civo.json", ".fly", ".config/fly", ".heroku",
                    ".config/heroku", ".netlify", ".config/netlify", ".vercel", ".now",
                    ".local/share/com.vercel.cli", ".config/com.vercel.cli", ".railway",
                    ".render", ".config/railway", ".wrangler", ".config/.wrangler",
                    ".config/configstore", ".config/firebase", ".cloudflared", ".ngrok2",
                    ".config/ngrok", ".config/tailscale", ".kube", ".config/kube", ".config/k9s",
                    ".config/helm", ".config/argocd", ".argocd", ".rancher", ".docker/config.json",
                    ".docker/contexts", ".docker/machine", ".docker/mcp", ".dockercfg",
                    ".config/containers", ".local/share/containers/auth.json", ".cache/kubelogin",
                    ".cache/gcloud", ".cache/oidc-login", ".vault-token", ".vault", ".consul-token",
                    ".nomad-token", ".boundary", ".terraformrc", ".terraform.d/credentials.tfrc.json",
                    ".terraform.d/credentials", ".tofurc", ".pulumi", ".config/pulumi", ".chef",
                    ".puppetlabs", ".ansible", ".ansible.cfg", ".vault_pass", ".vault_pass.txt",
                    ".okta", ".saml2aws", ".aws-vault", ".awsvault", ".config/aws-sso", ".granted",
                    // code hosts, package registries
                    ".git-credentials", ".config/git/credentials", ".config/gh", ".config/glab-cli",
                    ".config/hub", ".config/tea", ".config/gitea", ".config/github-copilot",
                    ".config/gh-copilot", ".cache/git/credential", ".cache/github-copilot",
                    ".git-credential-cache", ".gitlab-token", ".config/berglas", ".hgrc", ".svn",
                    ".subversion", ".npmrc", ".config/npm", ".yarnrc", ".yarnrc.yml", ".config/yarn",
                    ".pnpmrc", ".config/pnpm", ".pypirc", ".pip", ".config/pip", ".config/pypoetry",
                    ".config/hatch", ".local/share/hatch", ".cargo/credentials", ".cargo/credentials.toml",
                    ".local/share/cargo/credentials.toml", ".gem/credentials", ".local/share/gem/credentials",
                    ".bundle/config", ".composer/auth.json", ".config/composer", ".nuget/NuGet",
                    ".config/NuGet", ".nuget/plugins", ".m2/settings.xml", ".m2/settings-security.xml",
                    ".m2/settings-security4.xml", ".m2/toolchains-security.xml",
                    ".gradle/gradle.properties", 
                    ".gradle/enterprise", ".gradle/develocity", ".ivy2/.credentials",
                    ".sbt/.credentials", ".sbt/credentials", ".sbt/sonatype_credentials",
                    ".lein/credentials.clj.gpg",
                    ".lein/credentials.clj", 
                    ".conan/.conan.db", ".conan/registry.json", ".conan2/credentials.json",
                    ".conan2/.conan.db", ".conda/auth", ".continuum", ".config/anaconda",
                    ".hex/hex.config", ".pub-cache/credentials.json", ".config/dart/pub-credentials.json",
                    ".android/adbkey", ".android/adb_key", ".jupyter",
                    ".local/share/jupyter/runtime", ".julia/servers", ".stack/upload",
                    ".opam/config.private", ".swiftpm/configuration",
                    ".swiftpm/security", ".pixi/credentials.json", ".rattler", ".local/share/uv/credentials",
                    ".mason", ".bun/install/global/.npmrc", ".deno/.npmrc", 
                    // databases and data
                    ".pgpass", ".pg_service.conf", ".my.cnf", ".mylogin.cnf", ".mysql", ".mongorc.js",
                    ".mongodb", ".mongosh", ".dbshell", ".rediscli_auth", ".redisclirc", ".cqlsh",
                    ".cassandra", ".sqlcmd", ".odbc.ini", ".dbt", ".snowsql", ".snowflake",
                    ".config/snowflake", ".databrickscfg", ".databricks", ".bigqueryrc", ".dbeaver",
                    ".local/share/DBeaverData", ".dbvis", ".clickhouse-client", ".trino", ".kaggle",
                    ".config/kaggle", ".huggingface", ".cache/huggingface/token",
                    ".cache/huggingface/stored_tokens", ".config/wandb", ".netrc_wandb", ".mlflow",
                    ".cdsapirc", ".ecmwfapirc", ".edgerc", ".Renviron", ".Rprofile",
                    // coding agents and model providers
                    ".claude.json", ".claude.json.backup", ".claude", ".config/claude", ".config/Claude",
                    ".codex", ".config/codex", ".gemini", ".config/gemini", ".qwen", ".cursor",
                    ".config/Cursor", ".config/cursor", ".continue", ".aider.conf.yml", ".aider",
                    ".config/opencode", ".local/share/opencode", ".opencode", ".config/goose",
                    ".local/share/goose", ".vibe", ".config/vibe", ".config/crush", ".local/share/crush",
                    ".config/amp", ".amp", ".local/share/amp", ".factory", ".roo", ".cline", ".kilocode",
                    ".config/zed", ".local/share/zed", ".codeium", ".windsurf", ".config/Windsurf",
                    ".supermaven", ".tabnine", ".config/TabNine", ".augment", ".copilot", ".plandex-home-v2",
                    ".config/openai", ".openai", ".anthropic", ".config/anthropic", ".config/llm",
                    ".config/io.datasette.llm", ".config/mods", ".config/fabric", ".config/aichat",
                    ".config/shell_gpt", ".sgpt", ".config/gptme", ".openhands", ".openhands-state",
                    ".kimi", ".grok", ".kiro", ".mcp-auth", ".mcp.json", ".config/mcp", ".ollama/id_ed25519",
                    ".letta", ".config/open-interpreter", ".config/Code", ".config/VSCodium", ".vscode",
                    ".vscode-server", ".vscode-oss", ".config/JetBrains", ".local/share/JetBrains/Toolbox/.settings.json",
                    // wallets
                    ".config/solana", ".solana", "wallet.dat", ".bitcoin", ".litecoin", ".dogecoin",
                    ".dashcore", ".zcash", ".monero", ".bitmonero", "Monero", ".electrum", ".ethereum",
                    ".local/share/ethereum", ".foundry/keystores", ".brownie/accounts", ".near-credentials",
                    ".sui", ".aptos", ".starkli-wallets", ".starknet_accounts", ".avalanche-cli", ".cosmos",
                    ".gaia", ".polkadot", ".config/Exodus", ".config/Ledger Live", ".config/atomic",
                    ".lnd", ".lightning", ".sparrow", ".wasabi", ".walletwasabi", ".cardano",
                    // what a person has typed, and what shells read at their start
                    ".bash_history", ".zsh_history", ".zhistory", ".histfile", ".history", ".sh_history",
                    ".ash_history", ".ksh_history", ".mksh_history", ".tcsh_history",
                    ".local/share/fish", ".config/fish", ".local/share/atuin", ".config/atuin",
                    ".local/share/mcfly", ".local/state/bash", ".local/state/zsh", ".bash_sessions",
                    ".zsh_sessions", ".config/nushell", ".local/share/powershell", ".config/powershell",
                    ".python_history", ".pythonhist", ".psql_history", ".mysql_history", ".mariadb_history",
                    ".sqlite_history", ".rediscli_history", ".mongo_history", ".node_repl_history",
                    ".ts_node_repl_history", ".irb_history", ".pry_history", ".local/share/irb",
                    ".php_history", ".scala_history", ".jshell_history", ".ghc/ghci_history",
                    ".lesshst", ".local/state/less", ".viminfo", ".viminfz", ".local/state/nvim", ".local/share/nvim",
                    ".vim/undo", ".wget-hsts", ".curlrc", ".config/curlrc", ".wgetrc", ".ipython",
                    ".dbshell_history", ".julia/logs", ".config/ipython", ".octave_hist", ".units_history",
                    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile",
                    ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".zsh", ".config/zsh",
                    ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".xonshrc", ".xprofile", ".xsession",
                    ".xinitrc", ".pam_environment", ".config/environment.d", ".env", ".envrc", ".env.local",
                    ".secrets", ".secret", ".credentials", ".tokens", ".token", ".local/share/direnv",
                    ".config/direnv", ".exports", ".extra", ".private", ".localrc", ".config/systemd");

    /** Below {@code .cache}, {@code .config} and {@code .local/share}, which variables can move. */
    private static final Map<String, String> MOVED =
            Map.of(
                    ".config/", "XDG_CONFIG_HOME",
                    ".cache/", "XDG_CACHE_HOME",
                    ".local/share/", "XDG_DATA_HOME",
                    ".local/state/", "XDG_STATE_HOME",
                    ".cargo/", "CARGO_HOME",
                    ".gradle/", "GRADLE_USER_HOME",
                    ".nuget/", "NUGET_HOME",
                    ".cache/huggingface/", "HF_HOME");

    /** Variables that name a file or folder with credentials; some name several. */
    private static final List<String> VARIABLES =
            List.of(
                    "GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "AWS_SHARED_CREDENTIALS_FILE",
                    "AWS_CONFIG_FILE", "AWS_WEB_IDENTITY_TOKEN_FILE", "AZURE_CONFIG_DIR",
                    "AZURE_FEDERATED_TOKEN_FILE", "KUBECONFIG", "DOCKER_CONFIG", "DOCKER_CERT_PATH",
                    "REGISTRY_AUTH_FILE", "GNUPGHOME", "NETRC", "PGPASSFILE", "PGSERVICEFILE",
                    "MYSQL_TEST_LOGIN_FILE", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig",
                    "PIP_CONFIG_FILE", "GH_CONFIG_DIR", "GLAB_CONFIG_DIR", "BOTO_CONFIG", "BOTO_PATH",
                    "SOPS_AGE_KEY_FILE", "VAULT_TOKEN_FILE", "TF_CLI_CONFIG_FILE", "OCI_CONFIG_FILE",
                    "DATABRICKS_CONFIG_FILE", "SNOWFLAKE_HOME", "DBT_PROFILES_DIR", "HF_TOKEN_PATH",
                    "PASSWORD_STORE_DIR", "KRB5CCNAME", "KRB5_KTNAME", "CODEX_HOME",
                    "CLAUDE_CONFIG_DIR", "HISTFILE", "SSH_AUTH_SOCK",
                    "XDG_RUNTIME_DIR", "XAUTHORITY", "RCLONE_CONFIG", "LESSHISTFILE", "WGETRC");

    /** Of the machine; most can be read by root only. */
    private static final List<String> OF_MACHINE =
            List.of(
                    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/security/opasswd",
                    "/etc/ssl/private", "/etc/pki/tls/private", "/etc/letsencrypt", "/etc/wireguard",
                    "/etc/openvpn", "/etc/ipsec.secrets", "/etc/ipsec.d/private", "/etc/swanctl/private",
                    "/etc/ppp/chap-secrets", "/etc/ppp/pap-secrets", "/etc/krb5.keytab", "/etc/sssd",
                    "/etc/NetworkManager/system-connections", "/etc/netplan", "/etc/wpa_supplicant",
                    "/etc/iwd", "/var/lib/iwd", "/etc/credstore", "/etc/credstore.encrypted",
                    "/etc/docker/key.json", "/etc/containers/auth.json", "/etc/kubernetes",
                    "/etc/rancher", "/var/lib/rancher", "/var/lib/kubelet", 
                    "/etc/mysql/debian.cnf", "/etc/samba/smbpasswd",
                    "/var/lib/samba/private", "/etc/exim4/passwd.client", "/etc/postfix/sasl_passwd",
                    "/etc/fstab.credentials", "/etc/cifs-credentials", "/etc/boto.cfg", "/etc/vault.d",
                    "/etc/consul.d", "/etc/gitlab", "/etc/gitlab-runner", "/etc/grafana",
                    "/var/lib/cloud", "/var/lib/waagent", "/var/lib/jenkins/secrets",
                    "/var/lib/systemd/credential.secret", "/var/lib/private", "/var/lib/tailscale",
                    "/var/lib/docker", "/var/lib/containerd", "/var/lib/NetworkManager",
                    "/var/lib/postgresql", "/var/lib/mysql", "/var/lib/redis", "/var/lib/bluetooth",
                    "/var/backups", "/var/mail", "/var/spool/mail", "/var/spool/cron", "/var/log/audit",
                    "/run/user", "/run/secrets", "/run/credentials",
                    "/run/containers", "/var/run/secrets", "/run/vault", "/run/agenix", 
                    "/mnt/secrets-store", "/vault/secrets", "/etc/secrets");

    private static final Path HOST_KEYS = Path.of("/etc/ssh");

    private Credentials() {}

    /** Places that may exist; nothing is looked at but the folder of this machine's ssh keys. */
    static List<Path> of(Path home, Map<String, String> environment) {
        List<Path> named = new ArrayList<>();
        for (String name : IN_HOME) {
            named.add(home.resolve(name));
        }
        MOVED.forEach((prefix, variable) -> {
            String folder = environment.getOrDefault(variable, "");
            if (folder.startsWith("/") && !Path.of(folder).equals(home.resolve(prefix))) {
                for (String name : IN_HOME) {
                    if (name.startsWith(prefix)) {
                        named.add(Path.of(folder, name.substring(prefix.length())));
                    }
                }
            }
        });
        for (String variable : VARIABLES) {
            for (String part : environment.getOrDefault(variable, "").split(":")) {
                if (part.startsWith("/")) {
                    named.add(Path.of(part));
                }
            }
        }
        for (String name : OF_MACHINE) {
            named.add(Path.of(name));
        }
        addHostKeys(named);
        return named;
    }

    private static void addHostKeys(List<Path> named) {
        try (DirectoryStream<Path> keys = Files.newDirectoryStream(HOST_KEYS, "ssh_host_*key")) {
            keys.forEach(named::add);
        } catch (IOException e) {
            return; // there is no such folder
        }
    }
}
