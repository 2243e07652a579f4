"""Build step: manual pages and shell completion, from what the programs and the header say about themselves.

manuals.py programs OUT_DIR VERSION PROGRAM PATH BESIDE [WRAPPER...]   PROGRAM.1, PROGRAM (bash), _PROGRAM (zsh), PROGRAM.fish, and PROGRAM-COMMAND.1 of BESIDE, another program (- for none)
manuals.py library  OUT_DIR VERSION HEADER                             libplaten.3
"""
import os
import re
import subprocess
import sys

DESCRIPTIONS = {"platen": "render ZPL II label code", "hygro": "compute the equilibrium moisture of grain"}
PATHS = {"FILE", "DIR", "OUT"}
# Commands that a program beside this one does, which is a package of its own: each has its own page.
BESIDE = {"work", "submit", "collect", "batch"}


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


class Option:
    def __init__(self, short, name, value, text):
        self.short, self.name, self.value, self.text = short, name, value, text

    @property
    def choices(self):
        if not self.value:
            return []
        if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", self.value):
            return self.value.split("|")
        plain = re.sub(r" \([^)]*\)", "", self.text)
        found = re.search(r"((?:[a-z0-9-]+, )*[a-z0-9-]+ or [a-z0-9-]+)$", plain)
        return re.split(r", | or ", found.group(1)) if found and " " not in re.sub(r", | or ", "", found.group(1)) else []

    @property
    def is_path(self):
        return bool(self.value) and (self.value in PATHS or "file" in self.name or self.name == "config" or self.name == "objects")


class Command:
    """What `PROGRAM COMMAND --help` says: usage, paragraphs, options, paragraphs."""

    def __init__(self, name, summary, text):
        self.name, self.summary = name, summary
        self.usage, self.before, self.after, self.options = [], [], [], []
        last = None
        for line in text.splitlines():
            option = re.match(r"  ((?:-\w, )?--[a-z].*)$", line)
            if option:
                last = self.add_options(option.group(1))
            elif last and re.match(r"      +\S", line):
                for each in last:
                    each.text = (each.text + " " + line.strip()).strip()
            elif line.startswith("usage: ") or (self.usage and not self.before and not self.options and line.startswith("       ")):
                self.usage.append(re.sub(r"^usage: ", "", line.strip()))
            else:
                last = None
                if line.strip() != "options:":
                    (self.after if self.options else self.before).append(line.strip())

    def add_options(self, line):
        heads, _, text = re.match(r"(.*?)(  +|$)(.*)$", line).groups()
        added = []
        for short, name, value in re.findall(r"(?:-(\w), )?--([a-z][a-z-]*)(?: ([^-\s,][^\s,]*))?", heads):
            added.append(Option(short, name, value, text.strip()))
        self.options += added
        return added


def read_program(run, program):
    top = run(["--help"])
    commands = []
    for name, summary in re.findall(r"^  ([a-z]+) {2,}(\S.*)$", top, flags=re.M):
        commands.append(Command(name, summary, run([name, "--help"])))
    if not commands:
        sys.exit(f"manuals.py: {program} --help lists no commands")
    return commands


def paragraphs(lines):
    return [" ".join(part.split("\n")) for part in "\n".join(lines).strip().split("\n\n") if part.strip()]


def manual(program, commands, version):
    out = [f'.TH {program.upper()} 1 "" "{program} {version}"', ".SH NAME", f"{program} \\- {DESCRIPTIONS[program]}", ".SH SYNOPSIS"]
    out += [".nf"] + [roff(use) for command in commands for use in command.usage]
    out += [f"{program} \\-\\-help", f"{program} \\-\\-version", ".fi", ".SH DESCRIPTION"]
    out += ["Each command is described below. All of it is also printed by", f".BR \"{program} COMMAND \\-\\-help\" ."]
    for command in commands:
        out += [f".SH {command.name.upper()}", roff(command.summary[0].upper() + command.summary[1:] + ".")]
        out += ["See", f".BR {program}\\-{command.name} (1)."] if command.name in BESIDE else described(command)
    out += [".SH EXIT STATUS", "0: done. 1: something failed. 2: wrong usage.", ".SH SEE ALSO"]
    other = {"platen": [".BR libplaten (3),", ".BR hygro (1)"], "hygro": [".BR platen (1)"]}[program]
    return "\n".join(out + other) + "\n"


def described(command):
    out = []
    for part in paragraphs(command.before):
        out += [".PP", roff(part)]
    for option in command.options:
        head = (f"\\-{option.short}, " if option.short else "") + f"\\-\\-{roff(option.name)}"
        out += [".TP", f".B {head}" + (f" \\fI{roff(option.value)}\\fR" if option.value else ""), roff(option.text) or "See above."]
    for part in paragraphs(command.after):
        out += [".PP", roff(part)]
    return out


def command_manual(program, command, version):
    name = f"{program}\\-{command.name}"
    out = [f'.TH {program.upper()}-{command.name.upper()} 1 "" "{program} {version}"', ".SH NAME", f"{name} \\- {roff(command.summary)}", ".SH SYNOPSIS", ".nf"]
    out += [roff(use) for use in command.usage] + [".fi", ".SH DESCRIPTION"] + described(command)
    others = sorted(f".BR {program}\\-{other} (1)," for other in BESIDE - {command.name})
    return "\n".join(out + [".SH SEE ALSO"] + others + [f".BR {program} (1)"]) + "\n"


def shell_word(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash(program, commands):
    names = " ".join(command.name for command in commands)
    out = [f"# bash completion for {program}; made from its --help.", f"_{program}()", "{",
           '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}',
           '    COMPREPLY=()',
           "    if [ \"$COMP_CWORD\" = 1 ]; then",
           f"        mapfile -t COMPREPLY < <(compgen -W '{names} --help --version' -- \"$word\")",
           "        return",
           "    fi",
           '    case $command$before in']
    for command in commands:
        for option in command.options:
            if not option.value:
                continue
            heads = f"{command.name}--{option.name}" + (f"|{command.name}-{option.short}" if option.short else "")
            if option.choices:
                out.append(f"    {heads}) mapfile -t COMPREPLY < <(compgen -W '{' '.join(option.choices)}' -- \"$word\"); return ;;")
            elif option.is_path:
                out.append(f"    {heads}) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;")
            else:
                out.append(f"    {heads}) return ;;")
    out += ["    esac", "    case $command,$word in"]
    for command in commands:
        flags = " ".join(f"--{option.name}" for option in command.options)
        out.append(f"    {command.name},-*) mapfile -t COMPREPLY < <(compgen -W '{flags}' -- \"$word\") ;;")
    out += ['    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;', "    esac", "}", f"complete -o filenames -F _{program} {program}"]
    return "\n".join(out) + "\n"


def zsh(program, commands):
    def clean(text):
        return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")

    out = [f"#compdef {program}", f"# zsh completion for {program}; made from its --help.", "local -a commands", "commands=("]
    out += [f"    '{command.name}:{clean(command.summary)}'" for command in commands] + [")", "if (( CURRENT == 2 )); then",
            f"    _describe command commands", "    return", "fi", "local command=$words[2]", "shift words", "(( CURRENT-- ))", "case $command in"]
    for command in commands:
        out.append(f"{command.name})")
        out.append("    _arguments -S \\")
        for option in command.options:
            action = ""
            if option.value:
                action = f":{clean(option.value)}:" + (f"({' '.join(option.choices)})" if option.choices else "_files" if option.is_path else "")
            out.append(f"        '--{option.name}[{clean(option.text)}]{action}' \\")
        out.append("        '*:file:_files' ;;")
    return "\n".join(out + ["esac"]) + "\n"


def fish(program, commands):
    out = [f"# fish completion for {program}; made from its --help."]
    for command in commands:
        out.append(f"complete -c {program} -n __fish_use_subcommand -f -a {command.name} -d {shell_word(command.summary)}")
        for option in command.options:
            line = f"complete -c {program} -n '__fish_seen_subcommand_from {command.name}' -l {option.name}"
            line += f" -s {option.short}" if option.short else ""
            if option.value:
                line += " -x -a " + shell_word(" ".join(option.choices)) if option.choices else " -r" + ("F" if option.is_path else "f")
            out.append(f"{line} -d {shell_word(option.text)}")
    return "\n".join(out) + "\n"


def library(header, version):
    code = re.sub(r"//.*", "", header)
    prototypes = [re.sub(r"\s+", " ", found).strip() for found in re.findall(r"^[a-z][^;{}#]*\bplaten_[a-z0-9_]+\([^;]*\);", code, flags=re.M)]
    opening = re.match(r"((?://.*\n)+)", header).group(1)
    lines = [line[2:].rstrip() for line in opening.splitlines()]
    out = [f'.TH LIBPLATEN 3 "" "libplaten {version}"', ".SH NAME", "libplaten \\- ZPL II label code to bitmaps and image files", ".SH SYNOPSIS", ".nf",
           ".B #include <platen/platen.h>", ""]
    out += [f".B \"{roff(prototype)}\"" for prototype in prototypes]
    out += ["", "cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs platen)", ".fi", ".SH DESCRIPTION", ".nf"]
    out += [roff(line[1:] if line.startswith(" ") else line) for line in lines[2:]]
    out += [".fi", ".PP", "The comments of the header say what each function does, what it may be given and who frees what.", ".SH SEE ALSO", ".BR platen (1)"]
    return "\n".join(out) + "\n"


def main():
    kind, folder, version = sys.argv[1:4]

    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    if kind == "library":
        with open(sys.argv[4], encoding="utf-8") as file:
            write("libplaten.3", library(file.read(), version))
        return
    program, path, beside, wrapper = sys.argv[4], sys.argv[5], sys.argv[6], sys.argv[7:]
    # What the building machine's environment says is not for the manual.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PLATEN_", "HYGRO_"))}

    def run(arguments):
        # What is beside is started here: a program under qemu cannot start another one.
        command = [beside if arguments[0] in BESIDE else path] + arguments
        return subprocess.run(wrapper + command, check=True, capture_output=True, text=True, env=environment).stdout

    commands = read_program(run, program)
    write(f"{program}.1", manual(program, commands, version))
    write(program, bash(program, commands))
    write(f"_{program}", zsh(program, commands))
    write(f"{program}.fish", fish(program, commands))
    for each in commands:
        if each.name in BESIDE:
            write(f"{program}-{each.name}.1", command_manual(program, each, version))


main()
