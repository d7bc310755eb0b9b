# Sourced by the checks of packages, after sandbox.sh. Users of a package have no repository, and so `elsewhere` shows none.
#
# Two forms. Where this machine gives mount namespaces, an empty file system lies over the repository, and every path in it is gone.
# A container without that right takes the weaker form, and says so: the repository stays, and nothing that the command has may name it.
# With REQUIRE_NAMESPACES=1 the weaker form is a failure.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
case $(realpath "$folder")/ in "$repository"/*) fail "temporary files are in the repository: set TMPDIR to another folder" ;; esac

# A folder of the repository that stays visible, such as one with compiled crates. It has to exist.
kept=
mkdir "$folder/kept"

# The mounts are seen by the command alone, and end with it.
hide='
    set -e
    repository=$1 kept=$2 place=$3
    shift 3
    if [ -n "$kept" ]; then mount --rbind "$kept" "$place"; fi
    mount -t tmpfs -o size=1m,mode=755 none "$repository"
    [ -z "$(ls -A "$repository")" ] || { echo "the repository is still there" >&2; exit 1; }
    if [ -n "$kept" ]; then mkdir -p "$kept"; mount --rbind "$place" "$kept"; fi
    exec "$@"'

# The way to a namespace: as root, or as a user who is root in it.
namespace=()
for options in --mount '--mount --map-root-user'; do
    if (cd / && unshare $options sh -c "$hide" sh "$repository" '' '' true) 2>/dev/null; then
        namespace=(unshare $options)
        break
    fi
done
if [ "${#namespace[@]}" -gt 0 ]; then
    printf -- '--> the repository is hidden from what follows\n'
elif [ "${REQUIRE_NAMESPACES:-}" = 1 ]; then
    fail "this machine gives no mount namespaces, so that the repository can't be hidden"
else
    printf -- '--> WEAKER FORM: this machine gives no mount namespaces. The repository stays; what follows may not name it\n'
fi

# elsewhere COMMAND...: runs the command without the repository, in the present folder.
elsewhere() {
    case $PWD/ in "$repository"/*) fail "this would run in the repository: $*" ;; esac
    if [ "${#namespace[@]}" -gt 0 ]; then
        "${namespace[@]}" sh -c "$hide" sh "$repository" "$kept" "$folder/kept" "$@"
    else
        no_path_leads_back
        without_variables "$@"
    fi
}

# Fails if a file in $folder names a file of the repository, or if a link leads there.
no_path_leads_back() {
    local exact found
    exact=$(sed 's/[^A-Za-z0-9/_-]/[&]/g' <<<"$repository")
    found=$(grep -rIlE "(^|[^A-Za-z0-9_.@-])$exact/(client|conformance|openapi|server|target)/" "$folder" || true)
    [ -z "$found" ] || fail "these files name the repository: $found"
    found=$(find "$folder" -type l -exec realpath --quiet {} + | grep -F "$repository/" || true)
    [ -z "$found" ] || fail "links lead to the repository: $found"
}

# Runs the command without the variables that name the repository.
without_variables() {
    local name drop=()
    [[ :$PATH: != *:"$repository"/* ]] || fail "PATH leads to the repository"
    for name in $(compgen -e); do
        case ${!name} in *"$repository"*) drop+=(-u "$name") ;; esac
    done
    env ${drop[@]+"${drop[@]}"} "$@"
}
