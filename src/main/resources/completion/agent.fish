# Completion of agent for fish. In ~/.config/fish/config.fish: agent completion fish | source

function __agent_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program (string replace -r '^~' "$HOME" -- $words[1])
    for line in ($program complete -- $words[2..] "$typed" 2>/dev/null </dev/null)
        switch $line
            case ':files' ':folders'
                # Behind --option= the path alone is looked up, and the option stands before it again.
                set -l option (string match -r '^--[^=]+=' -- "$typed")
                set -l path (string replace -r '^--[^=]+=' '' -- "$typed")
                for found in (__fish_complete_path "$path")
                    if test "$line" = ':files'; or string match -qr '/(\t|$)' -- $found
                        echo "$option$found"
                    end
                end
            case '*'
                echo $line
        end
    end
end
complete -c agent -f -a '(__agent_complete)'
