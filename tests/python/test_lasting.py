"""Threads, memory and hostile arguments."""

import random
import subprocess
import sys
import textwrap
import threading

import pytest

import platen


def test_eight_threads_draw_the_same_bytes(golden_labels):
    codes = [code for code in golden_labels if len(platen.parse(code)) > 0][:12]
    want = [platen.render(code, time=0) for code in codes]
    document = platen.parse(b"".join(codes), "png", time=0)  # one for all threads
    whole = [label.data for label in document]
    wrong = []

    def draw(seed):
        chance = random.Random(seed)
        for _ in range(60):
            index = chance.randrange(len(codes))
            if platen.render(codes[index], time=0) != want[index]:
                wrong.append(index)
            index = chance.randrange(len(whole))
            if document[index].data != whole[index]:
                wrong.append(-index)

    threads = [threading.Thread(target=draw, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def run_python(code, *arguments):
    return subprocess.run([sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_rendering_releases_the_gil():
    # No thread is made to give up the GIL, so the main thread runs only while a render has released it.
    done = run_python(
        """
        import sys, threading, time, platen
        sys.setswitchinterval(1000)
        code = "^XA" + "".join(f"^FO{i},{i}^A0N,200,200^FDxyz^FS" for i in range(0, 800, 40)) + "^XZ"
        platen.render(code)
        inside, seen = False, False
        def draw():
            global inside
            for _ in range(500):
                inside = True
                platen.render(code)
                inside = False
                if seen:
                    return
        thread = threading.Thread(target=draw)
        thread.start()
        while thread.is_alive() and not seen:
            seen = inside
            time.sleep(0)
        thread.join()
        print(seen)
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\n"


def test_an_interpreter_within_the_process_gets_its_own_exceptions():
    # As mod_wsgi has them. They share the extension, which raised the exceptions of the first one.
    pytest.importorskip("_xxsubinterpreters")  # Python 3.8 to 3.12
    done = run_python(
        """
        import _xxsubinterpreters as interpreters
        CODE = "\\n".join([
            "import platen",
            "try:",
            "    platen.render('^XA^FO9,9^FDx^FS^XZ', rotation=45)",
            "    raise SystemExit('no exception')",
            "except platen.InvalidError:",
            "    platen.render('^XA^FO9,9^FDx^FS^XZ')",
        ])
        for _ in range(3):
            own = interpreters.create()
            interpreters.run_string(own, CODE)
            interpreters.destroy(own)
            exec(CODE)
        print("fine")
        """
    )
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr


def test_python_ends_while_threads_draw():
    done = run_python(
        """
        import atexit, threading, platen
        code = "^XA" + "".join(f"^FO{i},{i}^A0N,200,200^FDxyz^FS" for i in range(0, 800, 40)) + "^XZ"
        document, started = platen.parse(code), threading.Barrier(5)
        def draw():
            started.wait()
            while True:
                platen.render(code)
                document[0]
        for _ in range(4):
            threading.Thread(target=draw, daemon=True).start()
        started.wait()
        atexit.register(platen.render, code)
        """
    )
    assert done.returncode == 0, done.stderr


def test_ten_thousand_labels_do_not_grow_memory():
    done = run_python(
        """
        import platen
        label = "^XA^FO50,50^A0N,60^FDHello %d^FS^FO50,130^BY3^BCN,120^FD%08d^FS^XZ"
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * 4096
        def some(count):
            for i in range(count):
                code = label % (i, i)
                platen.render(code)
                if i % 10 == 0:
                    list(platen.labels(code, "webp"))
                    platen.check(code)
                    platen.compare(code, code)
                    platen.rewrite(code, target_dpmm=12)
                    platen.explain(code)
                    platen.image_to_zpl(platen.render(code, width_mm=20, height_mm=20))
                    platen.parse(code, quality="grayscale").bitmap()
                    try:
                        platen.render(code, rotation=45)
                    except platen.InvalidError:
                        pass
        some(1500)
        before = resident()
        some(10000)
        print(resident() - before)
        """
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 1 << 20, done.stdout


FUZZ = """
    import datetime, random, sys
    import platen
    from platen import _native
    chance = random.Random(int(sys.argv[1]))
    HELLO = "^XA^FO50,50^A0N,60^FDHello^FS^FO50,130^BY3^BCN,120^FD12345678^FS^XZ"
    PNG = platen.render(HELLO, width_mm=20, height_mm=20)
    class Odd:
        def __index__(self): raise ZeroDivisionError
        def __float__(self): return float("nan")
    VALUES = [None, True, False, 0, 1, -1, 8, 90, 2**31, 2**32, 2**63, 2**64, -2**63, 10**400, 0.0, -0.0, 1.5, 1e-300, 1e308, float("nan"),
        float("inf"), -float("inf"), "", "png", "pdf", "x" * 5000, "\\0", "\\ud800", b"", b"\\0", HELLO, HELLO.encode(), bytearray(b"^XA^XZ"),
        memoryview(HELLO.encode()), memoryview(HELLO.encode())[::-3], PNG, PNG[:40], [], {}, (), object(), Odd(), datetime.datetime.max,
        datetime.datetime.min, platen.Cancel(), [{"a": 1}], "gs1-retail", "acs", "lines", int, Exception("x")]
    NAMES = ["width_mm", "height_mm", "dpmm", "quality", "profile", "rotation", "fit_size", "collapse_copies", "verify", "rules", "min_module_mm", "printer_model",
        "time", "linter", "timeout", "cancel", "label", "jpeg_quality", "title", "elements", "format", "tolerance_dots", "tolerance_percent", "layout",
        "graphics", "target_dpmm", "rows", "dither", "coding", "threshold", "x", "y", "invert", "trim", "stored", "bare", "name"]
    CALLS = [platen.render, lambda *a, **k: list(platen.labels(*a, **k)), lambda *a, **k: platen.parse(*a, **k).bitmap(chance.choice([0, 1, -1, 2**40])),
        platen.check, platen.compare, platen.rewrite, platen.explain, platen.image_to_zpl, platen.Engine]
    ALLOWED = (platen.Error, TypeError, ValueError, OverflowError, IndexError, ZeroDivisionError, AttributeError, MemoryError)
    kinds = {}
    def attempt(call, *args, **options):
        try:
            call(*args, **options)
            kinds["fine"] = kinds.get("fine", 0) + 1
        except ALLOWED as error:
            kinds[type(error).__name__] = kinds.get(type(error).__name__, 0) + 1
    for turn in range(6000):
        first = chance.choice(VALUES) if chance.random() < 0.3 else chance.choice([HELLO, HELLO.encode(), PNG])
        args = [first] + [chance.choice(VALUES) for _ in range(chance.choice([0, 0, 0, 1, 2]))]
        attempt(chance.choice(CALLS), *args, **{chance.choice(NAMES): chance.choice(VALUES) for _ in range(chance.choice([0, 1, 1, 2, 4]))})
    # The extension itself, without the checks before it.
    engine = _native.Engine()
    document = engine.parse(HELLO.encode(), (0.0, 0.0, 0.0, 0, 0, 0, 0, False, False, True, False, None, 0.0, None, None, False, None, None))
    picture = engine.snapshot_of_picture(PNG)
    OPTIONS = [0.0, 0.0, 0.0, 0, 0, 0, 0, False, False, True, False, None, 0.0, None, None, False, None, None]
    NATIVE = [engine.render, engine.parse, engine.rewrite, engine.explain, engine.graphic, engine.snapshot_of_picture, document.draw, document.count,
        document.snapshot, document.info, _native.compare, _native.Engine, _native.Document, _native.Snapshot, _native.Cancel]
    for turn in range(6000):
        call = chance.choice(NATIVE)
        options = [chance.choice(VALUES) if chance.random() < 0.1 else value for value in OPTIONS]
        pool = VALUES + [tuple(options), picture, document, engine]
        args = [chance.choice(pool) for _ in range(chance.randrange(0, 8))]
        if call in (engine.render, engine.parse) and chance.random() < 0.8:
            args = [HELLO.encode(), tuple(options)] + ([chance.choice([0, 1, 2**32 - 1]), chance.choice([0, 1, 2, 3, 4, -1, 99]), chance.choice([0, 50, 101]), "t"] if call == engine.render else [])
        if call == document.draw and chance.random() < 0.8:
            args = [chance.choice([0, 1, 2**32 - 1]), chance.choice([-1, 0, 3, 99]), 0, True]
        attempt(call, *args)
    assert platen.render(HELLO).startswith(b"\\x89PNG")
    print(len(kinds), kinds)
"""


def test_hostile_arguments_give_exceptions():
    for seed in ("1", "2"):
        done = run_python(FUZZ, seed)
        assert done.returncode == 0, f"seed {seed}: status {done.returncode}\n{done.stderr[-3000:]}"
        kinds = done.stdout
        assert "fine" in kinds and "TypeError" in kinds and "InvalidError" in kinds, kinds
