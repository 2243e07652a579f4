"""pytest: ``assert_label(zpl, golden)`` compares a label with a picture that is kept beside the tests.

``pytest --platen-update`` writes the pictures anew.
"""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any, Protocol, Union

import platen

if TYPE_CHECKING:
    import os

try:
    import pytest
except ImportError:  # the module is installed, pytest is not
    raise ImportError("platen.pytest_plugin needs pytest") from None


class AssertLabel(Protocol):
    def __call__(self, zpl: platen._options.Code, golden: Union[str, "os.PathLike[str]"], **options: Any) -> None: ...


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--platen-update", action="store_true", help="write the golden pictures of assert_label anew")


def _difference(golden: pathlib.Path, found: platen.Comparison) -> str:
    picture = golden.with_name(f"{golden.stem}.diff.png")
    picture.write_bytes(found.picture)
    lines = [f"{golden}: the label differs in {found.only_a + found.only_b} dots ({found.share:.2%} of the ink)"]
    if found.size_a != found.size_b:
        lines.append(f"size: {found.size_a[0]} x {found.size_a[1]} dots in the golden picture, {found.size_b[0]} x {found.size_b[1]} now")
    lines += [f"area: {a.width} x {a.height} dots at {a.x},{a.y}: {a.dots} differ" for a in found.areas[:5]]
    lines.append(f"picture of both: {picture} (orange: golden only, blue: new only)")
    lines.append("pytest --platen-update takes the new picture over")
    return "\n".join(lines)


@pytest.fixture
def assert_label(request: pytest.FixtureRequest) -> AssertLabel:
    """assert_label(zpl, golden, tolerance_dots=0, tolerance_percent=0, **options of platen.render)"""
    update = bool(request.config.getoption("--platen-update"))

    def check(zpl: platen._options.Code, golden: Union[str, "os.PathLike[str]"], **options: Any) -> None:
        __tracebackhide__ = True
        path = pathlib.Path(golden)
        if not path.is_absolute():
            path = pathlib.Path(str(request.node.fspath)).parent / path
        tolerances = {name: options.pop(name) for name in ("tolerance_dots", "tolerance_percent") if name in options}
        png = platen.render(zpl, "png", **options)
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png)
            return
        if not path.exists():
            pytest.fail(f"{path} does not exist: pytest --platen-update writes it", pytrace=False)
        found = platen.compare(path.read_bytes(), png, **tolerances)
        if not found:
            pytest.fail(_difference(path, found), pytrace=False)

    return check
