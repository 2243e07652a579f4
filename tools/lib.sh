# Shared by ./run, ./test and the suites: saying steps, installing, building. Sourced, never run.
set -eu

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

say() { printf '==> %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1; then sudo "$@"
    else die "need root to run '$1': start this script as root or install sudo"
    fi
}

# The packages named in the given lists that are not installed.
missing_packages() {
    grep -hv -e '^#' -e '^$' "$@" | while read -r name; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || printf '%s\n' "$name"
    done
}

# install_packages LIST...: installs what is missing from Debian's archive.
install_packages() {
    command -v apt-get >/dev/null 2>&1 || die "apt-get was not found: this script sets up Debian 12 machines only"
    local missing
    missing=$(missing_packages "$@")
    # A Node.js that did not come as Debian's package serves as well, if it is new enough and has npm.
    if command -v npm >/dev/null 2>&1 && node -e 'process.exit(+(parseInt(process.versions.node) < 18))' 2>/dev/null; then
        missing=$(printf '%s\n' "$missing" | grep -vx -e nodejs -e npm || true)
    fi
    if [ -z "$missing" ]; then
        say "Debian packages: all there"
        return
    fi
    say "Debian packages: installing $(printf '%s ' $missing)"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
        die "apt-get update failed: is the Debian archive reachable?"
    # shellcheck disable=SC2086 # one word per package
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
        die "apt-get could not install: $(printf '%s ' $missing)"
}

# install_npm [npm options]: the packages of package-lock.json, once per lock file.
install_npm() {
    local stamp=node_modules/.installed want
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
