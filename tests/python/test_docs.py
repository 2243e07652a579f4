"""docs/python.md: its blocks run in order as one program, and print what the page promises."""

import contextlib
import io
import re

from conftest import ROOT

BLOCK = re.compile(r"(?:<!-- ([^\n]*) -->\n)?```(\w+)\n(.*?)```", re.S)


def promised(text):
    """The pattern of an output: … stands for anything."""
    return re.compile(".*".join(map(re.escape, text.strip().split("…"))))


def test_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text()
    assert "platen.render(" in "\n".join(page.splitlines()[:5]), "the first call is in the first five lines"
    names, printed, ran = {}, "", 0
    for mark, language, code in BLOCK.findall(page):
        if mark.startswith("not run: "):
            continue
        if mark == "output":
            assert promised(code).fullmatch(printed.strip()), f"{printed}\nis not\n{code}"
            printed = ""
            continue
        assert language == "python" and not mark and not printed, (language, mark, printed)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, "docs/python.md", "exec"), names)
        printed = out.getvalue()
        ran += 1
    assert ran >= 8 and not printed
    assert (tmp_path / "labels.pdf").read_bytes().startswith(b"%PDF")
