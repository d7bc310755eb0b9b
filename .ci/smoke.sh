# Sourced by .ci/run and .ci/nightly: the README's first command. It starts, and what it prints really pays.

server_pid=
folder=$scratch/sandbox
end_server() {
    if [ -n "$server_pid" ]; then kill -KILL "$server_pid" 2>/dev/null || true; fi
}

fail_with_log() {
    printf '%s\n' "--- printed:" >&2
    cat "$folder/printed" >&2
    printf '%s\n' "--- log, its end:" >&2
    tail -n 50 "$folder/log" >&2
    fail "$*"
}

# One command a line, as it was printed but for its indentation; a \ at the end of a line
# continues it.
printed_commands() {
    awk '{ sub(/\r$/, "") }
         continued || /^[ \t]*curl / {
             if (!continued) sub(/^[ \t]+/, "")
             continued = sub(/\\$/, "")
             printf "%s", $0
             if (!continued) printf "\n"
         }' "$folder/printed"
}

listen=()
if (exec 3<>/dev/tcp/127.0.0.1/8080) 2>/dev/null; then
    say "port 8080 is taken on this machine: the smoke test uses a free one"
    listen=(--listen 127.0.0.1:0)
fi

smoke_test() {
    local program=$1
    say "$program${listen[*]+ ${listen[*]}} in an empty folder"
    rm -rf "$folder"
    mkdir "$folder"
    touch "$folder/printed" "$folder/log"
    (
        cd "$folder"
        # The machine's own settings shouldn't decide.
        for name in $(compgen -e | grep '^MULTIRAIL_' || true); do unset "$name"; done
        exec "$program" ${listen[@]+"${listen[@]}"} >printed 2>log
    ) &
    server_pid=$!

    for _ in $(seq 1 150); do
        [ "$(printed_commands | wc -l)" -ge 2 ] && break
        kill -0 "$server_pid" 2>/dev/null || { server_pid=; fail_with_log "the server ended at once"; }
        sleep 0.2
    done
    [ "$(printed_commands | wc -l)" -ge 2 ] || fail_with_log "the server printed no two curl commands within 30 seconds"

    local answer='' command code
    while IFS= read -r command; do
        # The command holds a key: it is a sandbox's, made a moment ago and gone in the next.
        printf '%s\n' "\$ $command"
        answer=$(cd "$folder" && bash -c "$command" </dev/null) || fail_with_log "a printed command failed: $command"
        printf '%s\n' "$answer"
    done < <(printed_commands)
    printf '%s' "$answer" | grep -Eq '"status": ?"succeeded"' ||
        fail_with_log "the printed commands did not end in a succeeded payment"

    say "smoke test: SIGTERM"
    kill -TERM "$server_pid"
    for _ in $(seq 1 200); do
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.2
    done
    kill -0 "$server_pid" 2>/dev/null && fail_with_log "the server still runs 40 seconds after SIGTERM"
    code=0
    wait "$server_pid" || code=$?
    server_pid=
    [ "$code" = 0 ] || fail_with_log "the server ended with code $code after SIGTERM"
}
