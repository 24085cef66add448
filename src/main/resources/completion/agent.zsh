#compdef agent
# Completion of agent for zsh. In ~/.zshrc, behind compinit: source <(agent completion zsh)
# Or as a file _agent in a folder of $fpath.

_agent() {
    local line text meaning paths='' program=${~words[1]}
    local -a texts shown
    while IFS= read -r line; do
        case $line in
            :files) paths=files ;;
            :folders) paths=folders ;;
            *)
                text=${line%%$'\t'*} meaning=${line#*$'\t'}
                texts+=("$text")
                shown+=("$text${meaning:+  -- $meaning}")
                ;;
        esac
    done < <($program complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)
    (( $#texts )) && compadd -l -d shown -a texts
    if [[ -n $paths ]]; then
        compset -P '--*='
        if [[ $paths == folders ]]; then _path_files -/; else _files; fi
    fi
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _agent "$@"
else
    compdef _agent agent
fi
