"""Rendering: the bytes of the native program, options, labels, elements, findings, dots."""

import datetime
import io

import numpy
import pytest
from PIL import Image

import platen

CLOCK = 1763370000


def drawn(code):
    return len(platen.parse(code, time=CLOCK)) > 0


@pytest.mark.parametrize("format", ["png", "jpeg", "webp", "pdf"])
def test_bytes_are_those_of_the_command_line(format, golden_labels, command_line):
    codes = [code for code in golden_labels if drawn(code)]
    assert len(codes) > 25
    for code in codes:
        assert platen.render(code, format, time=CLOCK) == command_line(code, "--format", format, "--time", str(CLOCK)), code


def test_a_printer_model_reports_what_it_would_not_print():
    wide = "^XA^FO300,10^GB100,20,20^FS^XZ"
    assert [finding.code for finding in platen.check(wide, printer_model="ZQ610Plus-203")] == ["printer_width"]
    assert [finding.code for finding in platen.check(wide, printer_model="zd621-203")] == []
    with pytest.raises(platen.InvalidError, match="there is no printer model 'zd'"):
        platen.check(wide, printer_model="zd")


def test_options_are_those_of_the_command_line(hello, command_line):
    code = hello.encode()
    same = [
        (dict(width_mm=60, height_mm=40.5), ["--width-mm", "60", "--height-mm", "40.5"]),
        (dict(dpmm=12), ["--dpmm", "12"]),
        (dict(quality="grayscale"), ["--quality", "grayscale"]),
        (dict(profile="printer"), ["--profile", "printer"]),
        (dict(rotation=90), ["--rotation", "90"]),
        (dict(fit_size=True), ["--size", "auto"]),
        (dict(format="jpeg", jpeg_quality=30), ["--format", "jpeg", "--jpeg-quality", "30"]),
    ]
    for options, arguments in same:
        assert platen.render(code, **options) == command_line(code, *arguments), options
    assert len({platen.render(code, **options) for options, _ in same}) == len(same)


def test_other_languages_are_detected_or_named(command_line):
    epl = b'N\r\nq400\r\nQ200,24\r\nA50,50,0,4,1,1,N,"Hello"\r\nP1\r\n'
    assert platen.parse(epl).language == "epl"
    assert platen.parse(epl, language="zpl").language == "zpl"
    assert platen.render(epl) == platen.render(epl, language="epl") == command_line(epl, "--language", "epl")
    with pytest.raises(ValueError, match="'language' must be one of auto, zpl"):
        platen.render(epl, language="english")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda code: memoryview(code * 2)[::1][: len(code)]])
def test_label_code_is_text_or_any_bytes(kind, hello):
    assert platen.render(kind(hello.encode())) == platen.render(hello)


def test_a_memoryview_with_steps_is_read_as_it_is_seen(hello):
    code = hello.encode()
    spread = bytes(byte for pair in zip(code, b"x" * len(code)) for byte in pair)
    assert platen.render(memoryview(spread)[::2]) == platen.render(code)


def test_labels_are_drawn_one_by_one(hello):
    labels = platen.labels(hello + hello.replace("Hello", "Second") + "^XA^FO9,9^GB50,50,3^FS^PQ3^XZ")
    first = next(labels)
    assert (first.index, first.copies, first.data[:4]) == (0, 1, b"\x89PNG")
    assert first.data == platen.render(hello)
    second, third = labels
    assert [e.text for e in second.elements] == ["Second", "12345678"]
    assert (third.copies, third.elements[0].type) == (3, "box")


def test_a_document_is_a_sequence(hello):
    document = platen.parse(hello * 2, width_mm=50, height_mm=30)
    assert (len(document), document.width, document.height, document.page_count) == (2, 399, 239, 2)
    assert document[-1].index == 1
    assert document[0].data == b""
    with pytest.raises(IndexError):
        document[2]


def test_elements_have_what_the_header_has(hello):
    text, barcode = platen.parse(hello)[0].elements
    assert (text.type, text.command, text.x >= 50, text.text, text.data, text.symbol) == ("text", "^A0", True, "Hello", b"Hello", None)
    assert hello[text.offset : text.offset + text.length]== "^FO50,50^A0N,60^FDHello^FS"
    assert barcode.symbol.symbology == "code128"
    assert barcode.symbol.module_dots == 3
    assert barcode.symbol.decoded is None
    checked = platen.parse(hello, verify=True)[0].elements[1].symbol
    assert (checked.decoded, checked.matches, checked.decoded_data) == (True, True, b"12345678")


def test_check_finds_faults_of_the_code_and_of_barcodes():
    found = platen.check("^XA^QQ^FO50,50^BY1^BCN,120^FD12345678^FS^XZ", min_module_mm=0.3)
    codes = {finding.code: finding for finding in found}
    assert codes["unknown_command"].offset == 3
    assert codes["unknown_command"].severity in ("warning", "error")
    assert codes["module_below_minimum"].label == 0
    assert codes["module_below_minimum"].element == 0


def test_time_is_the_clock_of_the_printer():
    code = "^XA^FO9,9^A0N,30^FC%^FD%Y-%m-%d^FS^XZ"
    moment = datetime.datetime(2031, 5, 6, 7, 8)
    assert platen.parse(code, time=moment)[0].elements[0].text == "2031-05-06"
    seconds = int(moment.replace(tzinfo=datetime.timezone.utc).timestamp())
    assert platen.render(code, time=seconds) == platen.render(code, time=moment)
    for wrong in ("yesterday", 1.5, True):
        with pytest.raises(TypeError, match="'time' must be a datetime or an int, not "):
            platen.render(code, time=wrong)
    assert platen.parse(code, time=-62135596800)[0].elements[0].text == "0001-01-01"
    for beyond in (-62135596801, 253402300800):
        with pytest.raises(ValueError, match="'time' must be in the years 1 to 9999"):
            platen.render(code, time=beyond)


# "false" and "no" are true in Python, and True is 1: they set what nobody asked for.
@pytest.mark.parametrize("name", ["fit_size", "collapse_copies", "verify", "linter", "elements"])
@pytest.mark.parametrize("value", ["false", "no", "", 0, 1, None])
def test_a_switch_is_a_bool(name, value, hello):
    with pytest.raises(TypeError, match=f"'{name}' must be a bool, not {type(value).__name__}"):
        platen.parse(hello, **{name: value})


def test_a_bool_is_no_number(hello):
    for name in ("width_mm", "height_mm", "dpmm", "min_module_mm"):
        with pytest.raises(TypeError, match=f"'{name}' must be a number, not bool"):
            platen.render(hello, **{name: True})
    for call in (platen.render, lambda code, **options: platen.compare(code, code, **options)):
        with pytest.raises(TypeError, match="'timeout' must be a number of seconds, not bool"):
            call(hello, timeout=True)
    with pytest.raises(TypeError, match="'elements' must be a bool, not str"):
        platen.compare(hello, hello, elements="no")
    for name in ("invert", "trim", "stored", "bare"):
        with pytest.raises(TypeError, match=f"'{name}' must be a bool, not str"):
            platen.image_to_zpl(platen.render(hello), **{name: "no"})


def test_names_of_rule_sets_are_read_in_any_case():
    narrow = "^XA^FO50,50^BY2^BEN,50,Y,N^FD590123412345^FS^XZ"
    found = [finding.code for finding in platen.check(narrow, rules="gs1-retail")]
    assert found and [finding.code for finding in platen.check(narrow, rules="GS1-Retail")] == found


def test_dots_as_pillow_and_numpy(hello):
    for quality in ("bitonal", "grayscale"):
        bitmap = platen.parse(hello, quality=quality).bitmap()
        png = Image.open(io.BytesIO(platen.render(hello, quality=quality))).convert("L")
        assert bitmap.to_pillow().convert("L").tobytes() == png.tobytes()
        array = bitmap.to_numpy()
        assert array.shape == (bitmap.height, bitmap.width)
        if quality == "grayscale":
            assert numpy.array_equal(array, numpy.asarray(png))
            assert numpy.shares_memory(array, numpy.frombuffer(bitmap.data, numpy.uint8))
        else:
            assert numpy.array_equal(array, numpy.asarray(png) == 0)


def test_an_engine_has_limits_and_objects(tmp_path, hello):
    (tmp_path / "LOGO.GRF").write_bytes(b"~DGE:LOGO.GRF,8,1,FF818181818181FF")
    engine = platen.Engine(tmp_path, labels=2, input_bytes=1000)
    (image,) = engine.parse("^XA^FO9,9^XGE:LOGO.GRF^FS^XZ")[0].elements
    assert (image.type, image.width) == ("image", 8)
    with pytest.raises(platen.LimitError):
        engine.parse(hello * 3)
    with pytest.raises(platen.LimitError):
        engine.render(hello + " " * 1000)
    with pytest.raises(platen.FileError):
        platen.Engine(tmp_path / "none")


def test_a_document_outlives_its_engine(hello):
    engine = platen.Engine()
    document = engine.parse(hello, "png")
    del engine
    assert document[0].data == platen.render(hello)


def test_versions_agree():
    assert (__import__("conftest").ROOT / "VERSION").read_text().strip() == platen.__version__
    from importlib.metadata import version

    assert version("platen") == platen.__version__
