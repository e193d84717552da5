#!/bin/bash
# Prints its input with $NAME and ${NAME} replaced by the host's metadata. Nothing else means anything here: no command,
# no quote, no escape is ever interpreted. A name that the metadata lacks is reported and ends the script with status 3.
set -euo pipefail

env_file="${CAPOA_ROOT:-}/etc/metadata_env"
# shellcheck disable=SC2016 # the dollar signs are the pattern's own
variable='^([^$]*)\$(\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))'

# The value of the variable $1 in $value.
look_up() {
    local line
    if [[ -r $env_file ]]; then
        while IFS= read -r line || [[ -n $line ]]; do
            if [[ $line == "$1="* ]]; then
                value="${line#*=}"
                return 0
            fi
        done <"$env_file"
    fi
    echo "The host's metadata has no $1" >&2
    return 3
}

rest="$(cat)"
expanded=""
value=""
while [[ -n $rest ]]; do
    if [[ $rest =~ $variable ]]; then
        match="${BASH_REMATCH[0]}"
        expanded+="${BASH_REMATCH[1]}"
        look_up "${BASH_REMATCH[3]}${BASH_REMATCH[4]}" || exit 3
        expanded+="$value"
        rest="${rest:${#match}}"
    elif [[ $rest == *\$* ]]; then
        # A dollar sign that names nothing stands for itself.
        match="${rest%%\$*}\$"
        expanded+="$match"
        rest="${rest:${#match}}"
    else
        expanded+="$rest"
        rest=""
    fi
done
printf '%s\n' "$expanded"
