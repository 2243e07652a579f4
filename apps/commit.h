// The commit that a program was built from.
#ifndef COMMIT_H
#define COMMIT_H

extern const char build_commit[]; // 12 digits, "-dirty" behind them where files were changed; empty: not known
// What follows the version in --version, for "%s%s%s".
#define VERSION_LINE_SUFFIX build_commit[0] ? " (" : "", build_commit, build_commit[0] ? ")" : ""

#endif
