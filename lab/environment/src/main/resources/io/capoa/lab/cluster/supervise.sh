#!/bin/sh
# Runs one command and stops it when standard input ends, which is when the starting process has exited for any reason.
#
#   supervise.sh LOG GRACE_SECONDS REMOVE COMMAND [ARGUMENT...]
#
# Prints the command's process id on standard output. REMOVE is a directory to delete once the command was stopped, or
# empty; it is kept if the command exits by itself, for its successor. The exit code is the command's own.
log=$1
grace=$2
remove=$3
shift 3

# A background command has /dev/null as its input, so the pipe to the starter is kept as descriptor 3.
exec 3<&0 </dev/null

"$@" >>"$log" 2>&1 3<&- &
child=$!
echo "$child"
exec >/dev/null 2>&1

asked=
trap 'asked=yes' USR1

# A separate process, so that killing the waiting shell below does not release the command.
(
    trap '' TERM
    while read -r line <&3; do
        case $line in kill) grace=0 ;; esac
    done
    kill -USR1 $$
    kill -TERM "$child"
    waited=0
    while kill -0 "$child" && [ "$waited" -lt $((grace * 10)) ]; do
        sleep 0.1 || sleep 1
        waited=$((waited + 1))
    done
    kill -KILL "$child"
) &
watcher=$!
exec 3<&-

trap 'kill -TERM "$child"' TERM
trap : INT HUP
code=0
while :; do
    wait "$child"
    code=$?
    # A signal to this shell ends the wait early.
    kill -0 "$child" || break
done
kill -KILL "$watcher"
if [ -n "$remove" ] && [ -n "$asked" ]; then
    rm -rf -- "$remove"
fi
exit "$code"
