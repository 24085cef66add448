# Completion of agent for bash, also version 3. In ~/.bashrc: source <(agent completion bash)

_agent_complete() {
    local line=${COMP_LINE:0:COMP_POINT} words=() word='' i text reply=() paths=''
    # COMP_WORDS breaks words at = and :, which belong to an option's value or a model's name.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        text=${COMP_WORDS[i]}
        case $line in
            [[:space:]]*)
                words+=("$word")
                word=''
                line=${line#"${line%%[![:space:]]*}"}
                ;;
        esac
        [ "$i" = "$COMP_CWORD" ] && text=$line
        word=$word$text
        line=${line#"$text"}
    done
    words+=("$word")
    local program=${words[0]/#\~/$HOME} broken=${word%"${word##*[=:]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r text _; do
        case $text in
            :files) paths=-f ;;
            :folders) paths=-d ;;
            *) COMPREPLY+=("$(printf %q "${text#"$broken"}")") ;;
        esac
    done < <("$program" complete -- "${words[@]:1}" 2>/dev/null </dev/null)
    if [ -n "$paths" ]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r text; do
            COMPREPLY+=("$text")
        done < <(compgen "$paths" -- "${word#"$broken"}")
    fi
}
complete -F _agent_complete agent
