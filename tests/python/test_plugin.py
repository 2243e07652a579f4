"""The pytest plugin: goldens are written, kept, compared; a failure shows where and leaves a picture."""

import subprocess
import sys

TEST = """
def test_shipping_label(assert_label):
    assert_label({code!r}, "golden/shipping.png", width_mm=60, height_mm=40)
"""


def run(folder, code, *options):
    (folder / "test_label.py").write_text(TEST.format(code=code))
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_assert_label(tmp_path, hello):
    missing = run(tmp_path, hello)
    assert missing.returncode == 1 and "pytest --platen-update writes it" in missing.stdout, missing.stdout
    assert run(tmp_path, hello, "--platen-update").returncode == 0
    assert run(tmp_path, hello).returncode == 0
    other = run(tmp_path, hello.replace("Hello", "Hallo"))
    assert other.returncode == 1
    assert "the label differs in" in other.stdout and "area: " in other.stdout, other.stdout
    assert (tmp_path / "golden" / "shipping.diff.png").read_bytes().startswith(b"\x89PNG")
