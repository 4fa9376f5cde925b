# Completion in bash for kintsugi-flow and kintsugi-image: verbs, options and what they take, as --help says it; and the
# rules of the workflow at hand.
#
#     source tools/completion.bash     # `meson install` puts it where bash-completion finds it

# The options of a verb, one a line, each followed by the word for what it takes, or "-", and by how many words follow it.
_kintsugi_options() {
    "$1" "$2" --help 2>/dev/null | awk '/^ +-/ {
        sub(/^ +/, ""); sub(/  .*/, "")
        takes = "-"
        for (i = NF; i > 0; i--)
            if ($i !~ /^-/) takes = $i
        gsub(/[][]/, "", takes)
        most = takes == "-" ? 0 : /\.\.\./ ? 999 : 1
        for (i = 1; i <= NF && $i ~ /^-/; i++) { sub(/,$/, "", $i); print $i, takes, most }
    }'
}

# The rules of the Snakefile that the command line names, or that is found without. A Snakefile may take its time.
_kintsugi_rules() {
    local at=() i
    for ((i = 2; i < COMP_CWORD - 1; i++)); do
        case ${COMP_WORDS[i]} in -s | --snakefile | -d | --directory) at+=("${COMP_WORDS[@]:i:2}") ;; esac
    done
    timeout 3 "$1" run --list-rules "${at[@]}" 2>/dev/null
}

_kintsugi() {
    local program=$1 word=$2 verb=${COMP_WORDS[1]} options takes=- most=0 i
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --help | awk '/^  [a-z]/ { print $1 }')" -- "$word")
        return
    fi
    options=$(_kintsugi_options "$program" "$verb")
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(cut -d' ' -f1 <<<"$options")" -- "$word")
        return
    fi
    for ((i = COMP_CWORD - 1; i > 1; i--)); do # the last option, whose word this may be
        [[ ${COMP_WORDS[i]} != -* ]] || break
    done
    ((i == 1)) || read -r takes most < <(awk -v name="${COMP_WORDS[i]}" '$1 == name { print $2, $3 }' <<<"$options")
    ((most >= COMP_CWORD - i)) || takes=-
    case $takes in
    *'|'*) mapfile -t COMPREPLY < <(compgen -W "${takes//|/ }" -- "$word") ;;
    DIR) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    N | S | X | GB | MB | TEXT) ;;
    RULE* | TARGET* | -)
        [[ $verb != run ]] || mapfile -t COMPREPLY < <(compgen -W "$(_kintsugi_rules "$program")" -- "$word")
        ;;&
    RULE*) ;;
    *) compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}

complete -F _kintsugi kintsugi-flow kintsugi-image
