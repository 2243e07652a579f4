# Shared by ./run, ./test and the suites: saying steps, installing, building. Sourced, never run.
set -eu

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

say() { printf '==> %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# The oldest Node.js that serves; where Debian's programs are; how many seconds to wait for a lock of apt, and between two tries.
NODE_NEEDED=18 SYSTEM_BIN=/usr/bin LOCK_WAIT=600 LOCK_STEP=5 OS_RELEASE=/etc/os-release

can_be_root() { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# own_folders: folders that `sudo ./run` made belong to root, and a user cannot build in them; they are given to the user.
own_folders() {
    local user folder foreign=()
    user=$(id -u)
    [ "$user" != 0 ] || return 0
    [ -w . ] || die "$ROOT belongs to $(stat -c %U .) and you cannot write to it: start this script as that user, or take a checkout of your own"
    for folder in build* node_modules tests/labelary-client/node_modules; do
        [ -z "$(find "$folder" -user 0 -print -quit 2>/dev/null)" ] || foreign+=("$folder")
    done
    [ ${#foreign[@]} != 0 ] || return 0
    can_be_root || die "root made ${foreign[*]}, as 'sudo ./run' does: as root, remove them from $ROOT"
    say "root made ${foreign[*]}, as 'sudo ./run' does: giving them to $(id -un)"
    as_root chown -R "$user:$(id -g)" "${foreign[@]}" || die "they could not be given to you: as root, remove them from $ROOT"
}

# os_release FIELD: what the system says of itself: ID is debian, ubuntu, ...; VERSION_ID is 12, 24.04, ...
os_release() { sed -n "s/^$1=\"\{0,1\}\([a-z0-9._-]*\).*/\1/p" "$OS_RELEASE" 2>/dev/null || true; }

# The packages named in the given lists that are not installed. A name with " debian" behind it is for Debian alone.
missing_packages() {
    local name only system
    system=$(os_release ID)
    grep -hv -e '^#' -e '^$' "$@" | while read -r name only; do
        [ -z "$only" ] || [ "$only" = "$system" ] || continue
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || printf '%s\n' "$name"
    done
}

# apt ARGUMENT...: apt-get as root, without questions and quiet unless it fails. It waits while another program holds a lock of apt
# or dpkg (apt's own DPkg::Lock::Timeout does not cover the lock that `update` takes), and completes an interrupted dpkg.
apt() {
    local log waited=0 repaired=no
    can_be_root || die "only root can install packages: start this script as root, or install sudo"
    log=$(mktemp)
    while ! as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" > "$log" 2>&1; do
        if grep -q 'Could not get lock' "$log" && [ $waited -lt "$LOCK_WAIT" ]; then
            [ $waited != 0 ] || say "another program has locked apt; waiting for it to end, $((LOCK_WAIT / 60)) minutes at most"
            sleep "$LOCK_STEP"
            waited=$((waited + LOCK_STEP))
        elif grep -q 'dpkg was interrupted' "$log" && [ $repaired = no ]; then
            repaired=yes
            say "dpkg was interrupted before it was done: running dpkg --configure -a"
            as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive dpkg --configure -a > "$log" 2>&1 ||
                { cat "$log" >&2; rm -f "$log"; die "dpkg --configure -a failed: its packages must be repaired before this script can install any"; }
        else
            cat "$log" >&2
            rm -f "$log"
            return 1
        fi
    done
    rm -f "$log"
}

# install_packages LIST...: installs what is missing from the archive of the distribution.
install_packages() {
    command -v apt-get >/dev/null 2>&1 ||
        die "apt-get was not found: this script is for Debian and Ubuntu; elsewhere install what tools/apt-run.txt names, then: npm ci && meson setup build && ninja -C build"
    local missing
    missing=$(missing_packages "$@")
    # A Node.js that did not come as Debian's package serves as well, if it is new enough and has npm.
    if command -v npm >/dev/null 2>&1 && [ "$(node_major node)" -ge $NODE_NEEDED ]; then
        missing=$(printf '%s\n' "$missing" | grep -vx -e nodejs -e npm || true)
    fi
    if [ -z "$missing" ]; then
        say "Debian packages: all there"
        return
    fi
    # shellcheck disable=SC2086 # one word per package
    set -- $missing
    say "Debian packages: installing $*"
    apt update || die "apt-get update failed: is the archive of the distribution reachable?"
    apt install -y --no-install-recommends "$@" || die "apt-get could not install: $*"
}

# The major version of a Node.js; 0 where it is missing or does not run.
node_major() { "$1" -p 'parseInt(process.versions.node)' 2>/dev/null || echo 0; }

# choose_node: where PATH leads to an old Node.js first, Debian's is taken.
choose_node() {
    local found
    [ "$(node_major node)" -lt $NODE_NEEDED ] || return 0
    found="$(command -v node || echo node) $(node --version 2>/dev/null || true)"
    [ "$(node_major "$SYSTEM_BIN/node")" -ge $NODE_NEEDED ] ||
        die "Node.js $NODE_NEEDED or newer is needed, and neither '${found% }' nor $SYSTEM_BIN/node is: install one and put it first in PATH"
    say "Node.js: $found is too old, $SYSTEM_BIN/node is used"
    export PATH="$SYSTEM_BIN:$PATH"
    hash -r
}

# install_npm [npm options]: the packages of package-lock.json, once per lock file.
install_npm() {
    local stamp=node_modules/.installed want
    choose_node
    want="$(cksum < package-lock.json) $*"
    # A full install serves whoever needs less.
    if [ -f "$stamp" ] && { [ "$(cat "$stamp")" = "$want" ] || [ "$(cat "$stamp")" = "$(cksum < package-lock.json) " ]; }; then
        say "npm packages: all there"
        return
    fi
    say "npm packages: installing by package-lock.json"
    npm ci --no-audit --no-fund --loglevel=error "$@" || die "npm ci failed: is the npm registry reachable?"
    printf '%s' "$want" > "$stamp"
}

# build DIR [meson options]: sets up once, builds what changed.
build() {
    local dir=$1
    shift
    if [ ! -f "$dir/build.ninja" ]; then
        say "setting up $dir"
        meson setup "$dir" "$@" > "$dir.setup.log" 2>&1 || { cat "$dir.setup.log" >&2; rm -rf "$dir"; die "meson could not set up $dir"; }
        mv "$dir.setup.log" "$dir/setup.log"
    fi
    say "building $dir"
    ninja -C "$dir" --quiet || die "the build in $dir failed"
}

# The build that finds mistakes: clang, AddressSanitizer and UndefinedBehaviorSanitizer, every warning an error, with the fuzz targets.
build_sanitized() {
    CC=clang build build-asan --buildtype=debugoptimized -Doptimization=1 -Dwerror=true \
        -Db_sanitize=address,undefined -Db_lundef=false -Dfuzz=true
}
