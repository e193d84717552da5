#!/usr/bin/env bash
# Sourced by the commands that look at a running lab: its state folder and its process.

# running_lab STATE: process id of the lab that runs with the folder, or failure.
running_lab() {
  local pid
  pid=$(cat "$1/lab.pid" 2>/dev/null) || return 1
  [[ $pid =~ ^[0-9]+$ ]] && kill -0 "$pid" 2>/dev/null || return 1
  # The process id of a lab that was killed may belong to another program by now.
  if command -v ps >/dev/null; then
    ps -ww -p "$pid" -o args= | grep -Eq 'io\.capoa\.lab\.Lab|lab\.jar' || return 1
  fi
  echo "$pid"
}

no_lab() {
  echo "No lab runs with the state folder $1." >&2
}
