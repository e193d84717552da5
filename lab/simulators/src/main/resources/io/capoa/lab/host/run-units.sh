#!/bin/bash
# Runs oneshot units in order, as systemd would, with root folder $CAPOA_ROOT.
# Standard input: one unit per line, fields separated by the unit separator (octal 037):
# name, environment file (leading - : may be absent), paths that must not exist (blanks between), command.
set -uo pipefail

while IFS=$'\037' read -r unit environment sentinel command <&3; do
    read -ra sentinels <<<"$sentinel"
    for path in "${sentinels[@]}"; do
        if [[ -e "$CAPOA_ROOT$path" ]]; then
            echo "$unit: skipped, $path exists"
            continue 2
        fi
    done
    (
        if [[ -n "$environment" ]]; then
            file="$CAPOA_ROOT${environment#-}"
            if [[ -r "$file" ]]; then
                while IFS='=' read -r key value; do
                    [[ "$key" =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] && export "$key=$value"
                done <"$file"
            elif [[ "$environment" != -* ]]; then
                echo "$unit: $environment is missing"
                exit 1
            fi
        fi
        read -ra words <<<"$command"
        for i in "${!words[@]}"; do
            if [[ "${words[i]}" == /* && -e "$CAPOA_ROOT${words[i]}" ]]; then
                words[i]="$CAPOA_ROOT${words[i]}"
            fi
        done
        exec "${words[@]}" </dev/null
    )
    code=$?
    if ((code != 0)); then
        echo "$unit: failed with code $code"
        exit 1
    fi
    echo "$unit: done"
done 3<&0
