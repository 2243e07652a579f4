"""Builds the wheel and the sdist with the standard library and a C compiler; a PEP 517 backend, and a command.

    python3 platen_build.py [FOLDER]            writes both to FOLDER (default: dist)
    python3 platen_build.py --install FOLDER    writes what the wheel holds, but no library, to FOLDER: for Debian's package

In a checkout, libplaten is that of the folder build (or $PLATEN_BUILD), and the wheel contains it with the libraries
that it needs, but for those of the C and C++ runtimes. From an sdist the extension links the installed libplaten
(pkg-config platen), and the wheel contains none. Needs Python's headers (python3-dev).
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
# Of the C and C++ runtimes: what every Linux with this glibc has (PEP 600).
OF_THE_SYSTEM = re.compile(r"linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so")
FLAGS = ["-std=gnu17", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]


def run(*command):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: {shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def field(name):
    return re.search(rf'^{name} = "(.*)"$', (HERE / "pyproject.toml").read_text(), re.M).group(1)


VERSION = field("version")
DIST_INFO = f"platen-{VERSION}.dist-info"
ENTRY_POINTS = "[pytest11]\nplaten = platen.pytest_plugin\n"


def metadata():
    readme = (HERE / "README.md").read_text()
    return (
        f"Metadata-Version: 2.1\nName: platen\nVersion: {VERSION}\nSummary: {field('description')}\nLicense: MIT\n"
        f"Requires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n{readme}"
    )


def is_checkout():
    return (CHECKOUT / "src" / "libplaten.map").exists()


def library():
    """The checkout's libplaten, or None: the installed one is used."""
    if not is_checkout():
        return None
    built = pathlib.Path(os.environ.get("PLATEN_BUILD", CHECKOUT / "build")).resolve() / "libplaten.so.1"
    if not built.exists():
        raise SystemExit(f"error: {built} is missing: build the project first (./run, or ninja -C build)")
    return built


def compile_extension(folder, own, contained):
    out = folder / "_native.abi3.so"
    header = pathlib.Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        raise SystemExit(f"error: {header} is missing: install python3-dev")
    if own:
        libraries = ["-I", CHECKOUT / "include", own]
        # DT_RPATH, not DT_RUNPATH: it also serves the libraries that libplaten needs.
        libraries += ["-Wl,--disable-new-dtags,-rpath,$ORIGIN/_libs"] if contained else []
    else:
        libraries = run("pkg-config", "--cflags", "--libs", "platen").split()
    compiler = os.environ.get("CC", "cc").split()
    sources = sorted((HERE / "native").glob("*.c"))
    given = [word for name in ("CFLAGS", "CPPFLAGS", "LDFLAGS") for word in os.environ.get(name, "").split()]
    run(*compiler, *FLAGS, *given, "-I", header.parent, "-shared", "-o", out, *sources, *libraries, "-Wl,-z,relro,-z,now")
    return out


def needed_libraries(own):
    """libplaten and what it needs beside the system's runtimes: name in the wheel -> file."""
    found = {own.name: own.resolve()}
    for line in run("ldd", own).splitlines():
        match = re.match(r"\s*(\S+) => (\S+)", line)
        if match and match.group(2) == "not":
            raise SystemExit(f"error: {own} needs {match.group(1)}, which is not there")
        if match and not OF_THE_SYSTEM.match(match.group(1)):
            found[match.group(1)] = pathlib.Path(match.group(2)).resolve()
    return found


def licence_of(file):
    """Debian's copyright file of the package that has the library."""
    for path in (str(file), re.sub(r"^/usr", "", str(file))):
        done = subprocess.run(["dpkg-query", "-S", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode == 0:
            package = done.stdout.split(":")[0]
            return package, pathlib.Path("/usr/share/doc", package, "copyright").read_bytes()
    raise SystemExit(f"error: no package has {file}, so its licence is not known")


def wheel_files(folder, contained=True):
    """Everything in the wheel but its RECORD: name -> bytes, and the platform tag. `contained`: with libplaten, where it is the checkout's."""
    own = library()
    files = {f"platen/{path.name}": path.read_bytes() for path in sorted((HERE / "platen").iterdir()) if path.is_file()}
    files["platen/_native.abi3.so"] = compile_extension(folder, own, contained).read_bytes()
    tag = f"linux_{platform.machine()}"
    if own and contained:
        for name, file in needed_libraries(own).items():
            files[f"platen/_libs/{name}"] = file.read_bytes()
            if file != own.resolve():
                package, text = licence_of(file)
                files[f"{DIST_INFO}/licenses/{package}.txt"] = text
        for path in [CHECKOUT / "THIRD-PARTY.md", *sorted((CHECKOUT / "licenses").iterdir())]:
            files[f"{DIST_INFO}/licenses/{path.name}"] = path.read_bytes()
        name, number = platform.libc_ver()
        if name == "glibc":
            tag = f"manylinux_{number.replace('.', '_')}_{platform.machine()}"
    files[f"{DIST_INFO}/licenses/LICENSE"] = licence()
    files[f"{DIST_INFO}/METADATA"] = metadata().encode()
    files[f"{DIST_INFO}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: platen_build\nRoot-Is-Purelib: false\nTag: cp39-abi3-{tag}\n".encode()
    files[f"{DIST_INFO}/entry_points.txt"] = ENTRY_POINTS.encode()
    return files, tag


def licence():
    return ((CHECKOUT if is_checkout() else HERE) / "LICENSE").read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as scratch:
        files, tag = wheel_files(pathlib.Path(scratch))
    record = ""
    name = f"platen-{VERSION}-cp39-abi3-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(content)}\n"
            write_entry(wheel, path, content)
        write_entry(wheel, f"{DIST_INFO}/RECORD", f"{record}{DIST_INFO}/RECORD,,\n".encode())
    return name


def install(folder):
    """The files of the wheel, for a package that depends on that of libplaten."""
    with tempfile.TemporaryDirectory() as scratch:
        files, _ = wheel_files(pathlib.Path(scratch), contained=False)
    for name, content in files.items():
        if "/licenses/" in name:  # packages have them elsewhere
            continue
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o644)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / DIST_INFO
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    (folder / "entry_points.txt").write_text(ENTRY_POINTS)
    return DIST_INFO


def write_entry(wheel, path, content):
    entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # the same bytes from the same files
    entry.external_attr = (0o755 if path.endswith((".so", ".1")) or "_libs/" in path else 0o644) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, content)


def build_sdist(sdist_directory, config_settings=None):
    base = f"platen-{VERSION}"
    files = {"PKG-INFO": metadata().encode(), "LICENSE": licence()}
    for pattern in ("pyproject.toml", "platen_build.py", "README.md", "native/*.[ch]", "platen/*.py", "platen/*.pyi", "platen/py.typed"):
        for path in sorted(HERE.glob(pattern)):
            files[str(path.relative_to(HERE))] = path.read_bytes()
    name = f"{base}.tar.gz"
    # No time in the head of gzip: the same files give the same bytes.
    target = pathlib.Path(sdist_directory) / name
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return name


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--install":
        return install(sys.argv[2])
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
    folder.mkdir(parents=True, exist_ok=True)
    for make in (build_wheel, build_sdist):
        print(folder / make(folder))


if __name__ == "__main__":
    main()
