# For suites of several parts: tools/lib.sh, and counts that add up. Sourced, never run.
. "$(dirname "${BASH_SOURCE[0]}")/../tools/lib.sh"
passed=0 failed=0 skipped=0

# check WHAT COMMAND...: one test; what the command said is shown where it failed.
check() {
    local what=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n%s\n' "$what" "$(tail -n 40 <<< "$output")"
    fi
}

# skip WHY: one test that is not run.
skip() {
    skipped=$((skipped + 1))
    printf 'skipped: %s\n' "$*"
}

# part COMMAND...: a command that ends with a line of counts, which are added; one that breaks off counts as a failure.
part() {
    local output status=0 p f s
    output=$("$@" 2>&1) || status=$?
    read -r p _ f _ s _ <<< "$(grep -E '^[0-9]+ passed, [0-9]+ failed' <<< "$output" | tail -n 1 | tr -d ,)"
    if [ -z "$p" ] || { [ $status != 0 ] && [ "$f" = 0 ]; }; then f=1; fi
    passed=$((passed + ${p:-0})) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
    printf '%s\n' "$output"
}

# totals: the suite's last line, and its status.
totals() {
    printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
    [ $failed = 0 ] && [ $((passed + skipped)) != 0 ]
}
