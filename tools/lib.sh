# Shared by ./run, ./test and the suites: saying steps, installing, building. Sourced, never run.
set -eu

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

say() { printf '==> %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# end_at_signals: a program that Ctrl-C interrupts may end as if it had failed by itself. Without this, its step would be reported as an error.
end_at_signals() {
    trap 'printf "stopped; start again to continue\n" >&2; exit 130' INT
    trap 'printf "stopped; start again to continue\n" >&2; exit 143' TERM
}

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
    for folder in build* node_modules tests/{labelary-client,generators,lsp,mcp}/node_modules; do
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

# setup_facts DIR OPTIONS: what a set-up depends on and ninja does not watch, a line each: name, tab, value.
setup_facts() {
    local compiler=${CC:-cc} name word
    printf 'place\t%s\n' "$(pwd -P)"
    printf 'options\t%s\n' "$2"
    # shellcheck disable=SC2086 # CC may hold options
    printf 'compiler\t%s %s %s\n' "$compiler" "$($compiler --version 2>/dev/null | head -n 1)" "$($compiler -dumpmachine 2>/dev/null)"
    printf 'flags\t%s|%s|%s|%s\n' "${CXX:-}${CXXFLAGS:-}" "${CFLAGS:-}" "${CPPFLAGS:-}" "${LDFLAGS:-}"
    printf 'meson\t%s\n' "$(stat -L -c '%n %Y' "$(command -v meson)" 2>/dev/null)" # asking for its version takes longer than the rest
    printf 'node\t%s\n' "$(command -v node)"
    for word in $2; do
        if [ -f "$word" ]; then printf '%s\t%s\n' "$word" "$(cksum < "$word")"; fi
    done
    # What `meson configure` changed by hand.
    printf 'meson configure\t%s\n' "$(cksum "$1/meson-private/cmd_line.txt" 2>/dev/null | cut -d ' ' -f 1,2)"
    grep -rhoE "dependency\('[^']+'" --include=meson.build --exclude-dir='build*' --exclude-dir=node_modules . | cut -d "'" -f 2 | sort -u |
        while read -r name; do
            printf '%s\t%s %s\n' "$name" "$(${PKG_CONFIG:-pkg-config} --modversion "$name" 2>/dev/null)" \
                "$(${PKG_CONFIG:-pkg-config} --cflags --libs "$name" 2>/dev/null)"
        done
}

# What ./test asks for: warnings are errors, and what the tests need must be there. The former on Debian 12 alone: the code is free of the
# warnings of its compilers and headers, and newer ones have others. ./run asks for the first too ($LENIENT), so that ./test need not build
# anew what ./run has built, unless it is told another compiler or other flags, which may have other warnings (WERROR=yes: even then).
STRICT=() LENIENT=()
if [ "$(os_release ID) $(os_release VERSION_ID)" = "debian 12" ]; then STRICT=(-Dwerror=true); fi
if [ -z "${CC:-}${CFLAGS:-}${CPPFLAGS:-}" ] || [ "${WERROR:-}" = yes ]; then LENIENT=("${STRICT[@]}"); fi
STRICT+=(-Dtests=enabled)

# only_added HAVE WANT: is the second set of facts the first with the tests, or with libraries that were not there?
only_added() {
    diff <(sed '/^options\t/s/ -Dtests=enabled$//' <<< "$1") <(sed '/^options\t/s/ -Dtests=enabled$//' <<< "$2") |
        awk -F '\t' '/^</ { if ($2 ~ /[^ ]/) bad = 1 } END { exit bad }'
}

# set_up DIR [meson options]: sets up a build folder unless it was set up in this place with these options, this compiler and these
# packages. A folder of ./test serves whoever asks for the same without the tests.
set_up() {
    local dir=$1 have want changed
    shift
    choose_node
    have=$(cat "$dir/setup.facts" 2>/dev/null || true)
    want=$(setup_facts "$dir" "$*")
    if [ -f "$dir/build.ninja" ] && [ -n "$have" ]; then
        [ "$have" != "$want" ] || return 0
        [ "$have" != "$(sed "s/^options\t.*/& -Dtests=enabled/" <<< "$want")" ] || return 0
        changed=$(diff <(printf '%s\n' "$have") <(printf '%s\n' "$want") | sed -n 's/^[<>] \([^\t]*\)\t.*/\1/p' | sort -u | paste -s -d ,)
        if only_added "$have" "$want"; then
            say "adding to $dir what was not there before: ${changed//,/, }"
            if meson setup --reconfigure "$dir" "$@" > "$dir.setup.log" 2>&1; then
                mv "$dir.setup.log" "$dir/setup.log"
                setup_facts "$dir" "$*" > "$dir/setup.facts"
                return
            fi
        fi
        say "setting up $dir anew, since this has changed: ${changed//,/, }"
    else
        say "setting up $dir"
    fi
    # Objects of another place or compiler must not stay, so nothing does.
    rm -rf "$dir" || die "$dir could not be removed: remove it by hand and start again"
    meson setup "$dir" "$@" > "$dir.setup.log" 2>&1 || { cat "$dir.setup.log" >&2; rm -rf "$dir"; die "meson could not set up $dir"; }
    mv "$dir.setup.log" "$dir/setup.log"
    setup_facts "$dir" "$*" > "$dir/setup.facts"
}

# build DIR [meson options]: sets up where that is needed, builds what changed. One at a time in a folder: two suites may ask for it at once.
# In one run of ./test a folder is built once: a program that is linked again while a suite runs it cannot be started in that moment.
build() {
    local lock built=${BUILT_LIST:-/dev/null}
    exec {lock}> "$1.lock"
    flock "$lock"
    if ! grep -qsxF "$PWD/$1" "$built"; then
        set_up "$@"
        say "building $1"
        ninja -C "$1" --quiet || die "the build in $1 failed"
        echo "$PWD/$1" >> "$built"
    fi
    exec {lock}>&-
}

# The build that finds mistakes: clang, AddressSanitizer and UndefinedBehaviorSanitizer, every warning an error, with the fuzz targets.
SANITIZED=(--buildtype=debugoptimized -Doptimization=1 "${STRICT[@]}" -Db_sanitize=address,undefined -Db_lundef=false -Dfuzz=true)
build_sanitized() { CC=clang CXX=clang++ build build-asan "${SANITIZED[@]}"; }

# library_of BUILD: the name of the shared library there, as ninja takes it.
library_of() { ninja -C "$1" -t targets all | sed -n 's/^\(libplaten\.so\.[0-9.]*\): .*/\1/p' | sort | tail -n 1; }

# need FILE...: a suite fails where a program that it runs was not built.
need() {
    local file
    for file in "$@"; do
        [ -x "$file" ] || die "$file is missing: it was not built"
    done
}

# need_chromium: the same for the browser. Ubuntu has no package of it that runs everywhere: there its suites are skipped.
need_chromium() {
    local program=${CHROMIUM:-$SYSTEM_BIN/chromium-headless-shell}
    if [ -x "$program" ]; then return; fi
    if [ -n "${CHROMIUM:-}" ] || [ "$(os_release ID)" = debian ]; then die "$program is missing"; fi
    echo "skipped: this distribution has no package of Chromium; \$CHROMIUM can name one"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
