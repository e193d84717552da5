#!/usr/bin/env bash
# Sourced by the scripts that workflows call: their option --dry-run.

dry_run=false

# dry_run_option ARGUMENT…: takes --dry-run from the front; the others are in "arguments".
dry_run_option() {
  if [ "${1:-}" = --dry-run ]; then
    dry_run=true
    shift
  fi
  # shellcheck disable=SC2034 # read by those who source this file
  arguments=("$@")
}

# run COMMAND…: runs it; with --dry-run it is printed, and a program that is missing fails.
run() {
  if [ "$dry_run" = false ]; then
    "$@"
    return
  fi
  echo "would run: $*"
  case "$1" in
    */*) [ -x "$1" ] || fail "$1 is not a program of this checkout." ;;
  esac
}

# must MESSAGE COMMAND…: fails with the message, or with what the command said if it is empty; a dry run goes on.
must() {
  local message=$1 said
  shift
  if said=$("$@" 2>&1 >/dev/null); then
    return
  fi
  if [ "$dry_run" = false ]; then
    fail "${message:-$said}"
  fi
  echo "would fail: ${message:-$said}"
}

fail() {
  echo "$(basename "$0"): $1" >&2
  exit 2
}

# usage: the comment at the head of the script, as a message.
usage() {
  sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
