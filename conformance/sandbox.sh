# Sourced by scripts that use a sandbox of their own. Sets `folder`, a new folder that is removed at the end of the script.

fail() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }

sandbox_pid=
folder=$(mktemp -d)
tidy_up() {
    end_sandbox
    rm -rf "$folder"
}
trap tidy_up EXIT

# start_sandbox PROGRAM FOLDER [NAME=VALUE...]: starts the program in a new folder, with these settings and without those of this
# machine. Sets URL, MERCHANT, KEY, PUBLISHABLE_KEY and ADMIN_KEY from what it prints. The end of the script ends it.
start_sandbox() {
    local program=$1 place=$2
    mkdir "$place"
    (cd "$place" && exec env -i PATH="$PATH" HOME="$place" "${@:3}" "$program" --listen 127.0.0.1:0 >printed 2>log) &
    sandbox_pid=$!
    for _ in $(seq 1 150); do
        grep -q 'publishable' "$place/printed" 2>/dev/null && break
        kill -0 "$sandbox_pid" 2>/dev/null || { sandbox_pid=; cat "$place/log" >&2; fail "the server ended at once"; }
        sleep 0.2
    done
    printed() { awk -v what="$1" 'index($0, what) { print $NF; exit }' "$place/printed"; }
    URL=$(printed 'listens on')
    MERCHANT=$(printed 'merchant ')
    KEY=$(printed 'secret key')
    PUBLISHABLE_KEY=$(printed 'publishable')
    ADMIN_KEY=$(printed 'admin key')
    [ -n "$URL" ] && [ -n "$MERCHANT" ] && [ -n "$KEY" ] && [ -n "$PUBLISHABLE_KEY" ] && [ -n "$ADMIN_KEY" ] ||
        fail "the server printed no keys"
}

end_sandbox() {
    [ -n "$sandbox_pid" ] || return 0
    kill -KILL "$sandbox_pid" 2>/dev/null || true
    # Bash prints no message about the end of a process that was waited for.
    wait "$sandbox_pid" 2>/dev/null || true
    sandbox_pid=
}
