"""Checked by mypy --strict, not run: what a caller writes has these types, and what is marked is refused."""

from typing import List

import platen

png: bytes = platen.render("^XA^XZ", "png", width_mm=50, rotation=90)
texts: List[str] = [element.text for label in platen.labels(b"^XA^XZ", dpmm=12) for element in label.elements]
codes: List[str] = [finding.code for finding in platen.check(memoryview(b"^XA^XZ"), rules="ups")]
same: bool = platen.compare(png, "^XA^XZ", tolerance_dots=5).same
code: bytes = platen.rewrite("^XA^XZ", rows=[{"name": "Ann"}]).code + platen.image_to_zpl(png)
size: float = platen.Engine(labels=5).parse("^XA^XZ").width_mm
platen.render("^XA^XZ", "gif")  # type: ignore[arg-type]
platen.render(5)  # type: ignore[arg-type]
platen.render("^XA^XZ", rotation=45)  # type: ignore[arg-type]
platen.render("^XA^XZ", no_such_option=1)  # type: ignore[call-arg]
