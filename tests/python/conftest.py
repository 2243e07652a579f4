"""What the tests share. They run in a virtual environment that has the wheel (tests/suites/86-python)."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLATEN_BUILD", ROOT / "build")) / "platen"
HELLO = "^XA^FO50,50^A0N,60^FDHello^FS^FO50,130^BY3^BCN,120^FD12345678^FS^XZ"


@pytest.fixture(scope="session")
def hello():
    return HELLO


@pytest.fixture(scope="session")
def command_line():
    """What the native program makes of label code."""

    def run(code, *options):
        done = subprocess.run([PROGRAM, "render", "-", *options], input=code, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture(scope="session")
def golden_labels():
    files = sorted((ROOT / "tests" / "golden" / "pixels").glob("*.zpl")) + sorted((ROOT / "tests" / "golden" / "scene").glob("*.zpl"))[::8]
    assert len(files) > 30
    return [file.read_bytes() for file in files]
