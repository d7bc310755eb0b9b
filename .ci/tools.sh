# Sourced by .ci/run and .ci/nightly: the tools that the steps need, and steps that are timed.

say() { printf '\n==> %s\n' "$*"; }
fail() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }

# ---- Tools, which are installed where that is possible

install_package() {
    local package=$1 reason=$2
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
        fail "$reason; install it (Debian: apt-get install $package) and run this again"
    say "installing $package: $reason"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package"
}

has_postgres() {
    [ -n "${PG_BIN_DIR:-}" ] && [ -x "$PG_BIN_DIR/initdb" ] && return
    command -v initdb >/dev/null && return
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}

need_cargo() { command -v cargo >/dev/null || fail "cargo is missing; install Rust from https://rustup.rs"; }
need_component() { cargo "$1" --version >/dev/null 2>&1 || fail "cargo $1 is missing; rustup component add $2"; }
need_git() { command -v git >/dev/null || install_package git "git is missing, and the released document is in its history"; }
need_curl() { command -v curl >/dev/null || install_package curl "curl is missing, and the README pays with it"; }
need_postgres() {
    has_postgres || install_package postgresql "PostgreSQL's initdb is missing, and tests start PostgreSQL"
    # Elsewhere the tests say that they skip PostgreSQL; here that is a failure.
    export REQUIRE_POSTGRES=1
}
need_chromium() {
    command -v chromium >/dev/null || install_package chromium "Chromium is missing, and payers use it in the tests"
    command -v chromedriver >/dev/null || install_package chromium-driver "Chromium's driver is missing, and the tests use it"
    export REQUIRE_CHROMIUM=1
}
# The rules that judge the pages in the browser; not kept.
AXE_CORE=4.14.1
need_axe() {
    npm install --silent --no-audit --no-fund --prefix "$scratch/axe" "axe-core@$AXE_CORE"
    export MULTIRAIL_TEST_AXE=$scratch/axe/node_modules/axe-core/axe.min.js REQUIRE_AXE=1
}
need_node() {
    { command -v node && command -v npm; } >/dev/null ||
        install_package npm "Node.js and npm are missing, and clients are generated with them"
}
need_python() {
    python3 -c 'import ensurepip, venv' 2>/dev/null ||
        install_package python3-venv "Python's venv is missing, and schemathesis and generators are installed into one"
}
need_openssl() {
    command -v openssl >/dev/null || install_package openssl "openssl is missing, and makes the certificate of the connectors' judge"
}

# All steps that use the build call cargo by this function. With other settings cargo would compile the workspace once more.
cargo_for_tests() { cargo --config .ci/tests.toml "$@"; }
target_folder() { cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/'; }

# ---- Steps and their times

# Everything in this folder is removed at the end.
scratch=$(mktemp -d)
mkdir "$scratch/beside"
current_step='' step_began=0 cpu=0

# record NAME SECONDS CPU [NOTE]: keeps a row of the table that is printed at the end.
record() { printf '%-40s %8s %8s  %s\n' "$1" "$2" "$3" "${4:-}" >>"$scratch/times"; }

# Sets `cpu` to the seconds of processor time that the ended children of this shell have taken. A pipe would be another shell.
read_cpu() {
    local file=$scratch/cpu.$BASHPID
    times >"$file"
    cpu=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += part[1] * 60 + part[2] } printf "%d", sum }' "$file")
}
# Prints the seconds of processor time of all that was started beside and has ended.
ended_cpu() { { cat "$scratch"/beside/*.end 2>/dev/null || true; } | awk '{ sum += $3 } END { printf "%d", sum }'; }

# step NAME COMMAND...: runs the command, and ends the run if it fails. In a condition bash would ignore failures inside it.
step() {
    notice_failures
    local cpu_began
    current_step=$1 step_began=$SECONDS
    shift
    say "$current_step: $*"
    read_cpu
    cpu_began=$((cpu - $(ended_cpu)))
    "$@"
    read_cpu
    record "$current_step" $((SECONDS - step_began)) $((cpu - $(ended_cpu) - cpu_began))
    current_step=
}

# beside NAME COMMAND...: starts the command beside the next steps, in a process group of its own. `join` waits for it.
beside() {
    local name=$1
    shift
    notice_failures
    say "$name, beside what follows: $*"
    set -m
    (
        set +m
        began=$SECONDS
        trap 'code=$?; read_cpu; printf "%s %s %s\n" "$code" "$((SECONDS - began))" "$cpu" >"$scratch/beside/$name.end"' EXIT
        "$@"
    ) >"$scratch/beside/$name.out" 2>&1 </dev/null &
    printf '%s\n' "$!" >"$scratch/beside/$name.pid"
    set +m
}

# join NAME: waits for what was started beside, prints its output, and ends the run if it has failed.
join() {
    local name=$1 pid code=0 seconds cpu
    local files=$scratch/beside/$name
    read -r pid <"$files.pid"
    say "$name, which was started beside"
    current_step="waiting for $name" step_began=$SECONDS
    wait "$pid" || code=$?
    rm "$files.pid"
    cat "$files.out"
    read -r _ seconds cpu <"$files.end"
    if [ "$code" = 0 ]; then record "$name" "$seconds" "$cpu" "beside others"; else record "$name" "$seconds" "$cpu" "beside others, failed"; fi
    if [ "$SECONDS" -gt "$step_began" ]; then record "$current_step" $((SECONDS - step_began)) 0; fi
    current_step=
    [ "$code" = 0 ] || fail "$name failed with code $code"
}

# Ends the run now if something that was started beside has failed already.
notice_failures() {
    local pid name code
    for pid in "$scratch"/beside/*.pid; do
        name=$(basename "$pid" .pid)
        [ -s "$scratch/beside/$name.end" ] || continue
        read -r code _ <"$scratch/beside/$name.end"
        [ "$code" = 0 ] || join "$name"
    done
}

# The trap of EXIT: ends what still runs, and prints all times, also when a step has failed.
clean_up() {
    local file pid
    if [ -n "$current_step" ]; then record "$current_step" $((SECONDS - step_began)) "" "ended the run"; fi
    for file in "$scratch"/beside/*.pid; do
        [ -e "$file" ] || continue
        read -r pid <"$file"
        kill -TERM -- "-$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
        record "$(basename "$file" .pid)" "" "" "was ended"
    done
    printf '\n%-40s %8s %8s\n' step seconds CPU
    if [ -e "$scratch/times" ]; then cat "$scratch/times"; fi
    read_cpu
    printf '%-40s %8s %8s\n' whole "$SECONDS" "$cpu"
    rm -rf "$scratch"
}
