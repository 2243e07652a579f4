"""Comparing, rewriting, explaining, pictures; errors, time limits and cancelling."""

import threading

import pytest
from PIL import Image

import platen


def test_compare_names_what_moved(hello):
    found = platen.compare(hello, hello.replace("50,50", "58,50"), elements=True)
    assert not found
    assert found.only_a == found.only_b > 0
    (change,) = found.changes
    assert (change.change, change.differs, change.dx, change.dy) == ("moved", ("place",), 8, 0)
    assert change.a.text == change.b.text == "Hello"
    assert found.picture.startswith(b"\x89PNG")
    assert found.areas[0].dots <= found.only_a + found.only_b
    assert platen.compare(hello, hello)


def test_compare_took_its_timeout_three_times(hello, monkeypatch):
    seconds = iter(range(0, 1000, 10))  # each look at the clock is 10 seconds later
    monkeypatch.setattr(platen._engine.time, "monotonic", lambda: next(seconds))
    assert platen.compare(hello, hello, timeout=1000)
    with pytest.raises(platen.DeadlineError):
        platen.compare(hello, hello, timeout=15)
    for wrong in ("1", float("nan"), -1):
        with pytest.raises((TypeError, ValueError)):
            platen.compare(hello, hello, timeout=wrong)


def test_compare_takes_pictures(hello):
    png = platen.render(hello)
    assert platen.compare(png, hello)
    found = platen.compare(png, hello.replace("Hello", "Hallo"))
    assert not found and not found.changes
    assert platen.compare(png, hello.replace("Hello", "Hallo"), tolerance_dots=found.only_a + found.only_b)
    with pytest.raises(platen.InvalidError, match="picture cannot be read"):
        platen.compare(png[:100], hello)


def test_rewrite(hello):
    assert b"^FO75,75" in platen.rewrite(hello, target_dpmm=12).code
    assert platen.rewrite(hello).code.count(b"\n") > 2
    assert b"\n" not in platen.rewrite(hello, layout="compact").code.strip()
    filled = platen.rewrite("^XA^FO9,9^A0N,30^FD{{name}}^FS^XZ", rows=[{"name": "Ann"}, {"name": "Bob"}]).code
    assert filled.count(b"^XA") == 2 and b"Ann" in filled and b"Bob" in filled
    with pytest.raises(platen.NotFoundError):
        platen.rewrite("^XA^FO9,9^A0N,30^FD{{name}}^FS^XZ", rows=b"other\nvalue\n")


def test_explain(hello):
    assert "Starts a label format" in platen.explain(hello)


def test_image_to_zpl(hello):
    png = platen.render(hello)
    assert platen.compare(platen.image_to_zpl(png), hello)
    assert platen.image_to_zpl(png, stored=True, name="R:LOGO.GRF").startswith(b"~DGR:LOGO.GRF")
    assert platen.image_to_zpl(Image.new("L", (16, 8), 0)) == b"^XA^FO0,0^GFA,16,16,2,!:::::::^FS^XZ"
    with pytest.raises(platen.InvalidError):
        platen.image_to_zpl(b"no picture")


def test_errors_are_of_kinds_that_python_knows(hello):
    with pytest.raises(platen.InvalidError, match="'rotation' must be 0, 90, 180 or 270") as caught:
        platen.render(hello, rotation=45)
    assert isinstance(caught.value, ValueError) and caught.value.status == "invalid"
    with pytest.raises(LookupError):
        platen.render(hello, label=1)
    with pytest.raises(ValueError, match="must be one of png, jpeg, webp, pdf, not 'gif'"):
        platen.render(hello, "gif")
    with pytest.raises(TypeError, match="'zpl' must be str, bytes, bytearray or memoryview, not int"):
        platen.render(5)
    with pytest.raises(TypeError, match="'width_mm' must be a number, not str"):
        platen.render(hello, width_mm="50")
    with pytest.raises(TypeError):
        platen.parse(hello)["0"]
    with pytest.raises(platen.InvalidError, match="there are no rules 'x'"):
        platen.check(hello, rules="x")


@pytest.mark.parametrize(
    "call",
    [
        lambda code, **how: platen.render(code, **how),
        lambda code, **how: platen.render(code, "pdf", **how),
        lambda code, **how: platen.check(code, **how),
        lambda code, **how: platen.compare(platen.render(code), platen.render(code), **how),
        lambda code, **how: platen.rewrite(code, rotation=90, **how),
        lambda code, **how: platen.explain(code, **how),
        lambda code, **how: platen.image_to_zpl(platen.render(code), **how),
    ],
)
def test_every_call_has_a_time_limit_and_can_be_cancelled(call, hello):
    with pytest.raises(TimeoutError):
        call(hello, timeout=0)
    cancel = platen.Cancel()
    call(hello, timeout=1e9, cancel=cancel)
    cancel.set()
    with pytest.raises(platen.CancelledError):
        call(hello, cancel=cancel)
    cancel.clear()
    assert not cancel.is_set()
    call(hello, cancel=cancel)


def test_a_thread_cancels_a_render_of_another_one():
    many = "".join(f"^XA^FO{i % 9},9^BQN,2,9^FDQA,{i:0900}^FS^XZ" for i in range(400))
    cancel, started, failures = platen.Cancel(), threading.Event(), []

    def draw():
        try:
            for _ in iter(int, 1):  # until it is cancelled
                for _ in platen.labels(many, cancel=cancel):
                    started.set()
        except platen.CancelledError as error:
            failures.append(error)

    thread = threading.Thread(target=draw)
    thread.start()
    started.wait()
    cancel.set()
    thread.join()
    assert len(failures) == 1
