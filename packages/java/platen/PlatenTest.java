// Run by tests/suites/88-java, with a heap that does not grow; PLATEN names the native program. `layout` as argument prints the
// structures for the comparison with C.
package platen;

import com.sun.jna.Structure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import platen.Platen.Format;
import platen.Platen.Limits;
import platen.Platen.Options;
import platen.Platen.PlatenException;

final class PlatenTest {
    private static final String HELLO = "^XA^FO50,50^A0N,60^FDHello^FS^FO50,150^BY3^BCN,100^FD12345^FS^XZ";
    private static final String TWO = HELLO + "^XA^FO9,9^GB99,99,9^FS^PQ3^XZ";
    private static final String SLOW = "^XA" + "^FO1,1^GC4000,2000^FS".repeat(100_000) + "^XZ"; // minutes, where nothing ends it

    private interface Test { void run() throws Exception; }

    private static int passed, failed;

    private static void test(String name, Test test) {
        try {
            test.run();
            passed++;
        } catch (Throwable error) {
            failed++;
            System.out.println("FAILED: " + name);
            error.printStackTrace(System.out);
        }
    }

    private static void equal(Object got, Object want, String what) {
        if (!java.util.Objects.deepEquals(got, want)) throw new AssertionError(what + ": " + got + ", not " + want);
    }

    private static byte[] bytes(String code) { return code.getBytes(StandardCharsets.UTF_8); }

    /** What the native program draws. */
    private static byte[] drawn(String code, String... args) throws IOException {
        var command = new ArrayList<>(List.of(System.getenv("PLATEN"), "render", "-"));
        command.addAll(Arrays.asList(args));
        var process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var in = process.getOutputStream()) { in.write(bytes(code)); }
        var out = new ByteArrayOutputStream();
        process.getInputStream().transferTo(out);
        return out.toByteArray();
    }

    private static String codeOf(Test test) throws Exception {
        try {
            test.run();
            return "none";
        } catch (PlatenException error) {
            if (error.getMessage().isEmpty()) throw new AssertionError("no message");
            return error.code;
        }
    }

    private static void sameBytes() throws Exception {
        record Case(String code, Format format, Options options, String... args) {}
        try (var platen = new Platen()) {
            equal(platen.render(HELLO), drawn(HELLO), "the first call");
            for (var one : List.of(
                new Case(HELLO, Format.JPEG, new Options().size(80, 40).dpmm(12), "-f", "jpeg", "--width-mm", "80", "--height-mm", "40", "--dpmm", "12"),
                new Case(HELLO, Format.WEBP, new Options().grayscale(true).rotation(90), "-f", "webp", "--quality", "grayscale", "--rotation", "90"),
                new Case(TWO, Format.PNG, new Options().label(1).fitSize(true), "--page", "1", "--size", "auto"),
                new Case(TWO, Format.PDF, new Options().printer(true), "-f", "pdf", "--profile", "printer"),
                new Case("^XA^FO9,9^A0N,40^FC%^FD%H:%M^FS^XZ", Format.PNG, new Options().time(LocalDateTime.of(2026, 1, 31, 13, 45)), "--time", "2026-01-31T13:45:00"),
                new Case("N\nA50,50,0,3,1,1,N,\"epl\"\nP1\n", Format.PNG, new Options().language("epl"), "--language", "epl")))
                equal(platen.render(bytes(one.code), one.format, one.options), drawn(one.code, one.args), String.join(" ", one.args));
        }
    }

    private static void findings() {
        try (var platen = new Platen()) {
            var found = platen.check(bytes("^XA^QQ^FO9,9^BEN,50^FDäö^FS^XZ"), new Options().printerModel("none"));
            equal(found.stream().map(Platen.Finding::code).toList().containsAll(List.of("unknown_command", "barcode_data")), true, found.toString());
            equal(found.get(0).severity() + " " + found.get(0).command() + " " + found.get(0).offset() + " " + found.get(0).line(), "WARNING ^QQ 3 1", "the first");
            equal(platen.check(bytes(HELLO), new Options()).isEmpty(), true, "of a good label");
            var text = platen.describe(bytes(HELLO), new Options());
            equal(text.startsWith("{") && text.endsWith("}") && text.contains("\"decodedData\":\"12345\""), true, text);
        }
    }

    private static void errors() throws Exception {
        var platen = new Platen(new Limits(1000, 0, 0, 0, 0));
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().dpmm(1000))), "invalid", "dpmm");
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().dpmm(Double.NaN))), "invalid", "NaN");
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().rotation(-90))), "invalid", "rotation");
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().language("klingon"))), "invalid", "language");
        equal(codeOf(() -> platen.check(bytes(HELLO), new Options().rules("nonsense"))), "invalid", "rules");
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().label(1))), "not_found", "label");
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().label(-1))), "not_found", "label below 0");
        equal(codeOf(() -> platen.render(new byte[0], Format.PNG, new Options())), "not_found", "no label");
        equal(codeOf(() -> platen.render("^XA^XZ".repeat(1000))), "limit", "input");
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().timeout(Duration.ofSeconds(-1)))), "deadline", "no time");
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().timeout(Duration.ofSeconds(Long.MIN_VALUE)))), "deadline", "less than no time");
        equal(codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().timeout(Duration.ofSeconds(Long.MAX_VALUE)))), "none", "endless time");
        for (Test nothing : List.<Test>of(() -> platen.render((String) null), () -> platen.render(null, Format.PNG, new Options()), () -> platen.render(bytes(HELLO), null, new Options()),
            () -> platen.check(bytes(HELLO), null), () -> new Options().language(null), () -> new Platen(null))) {
            try {
                nothing.run();
                throw new AssertionError("null was taken");
            } catch (NullPointerException expected) {
            }
        }
        platen.close();
        platen.close();
        try {
            platen.render(HELLO);
            throw new AssertionError("a closed one draws");
        } catch (IllegalStateException expected) {
        }
    }

    private static void deadlines() throws Exception {
        try (var platen = new Platen(new Limits(0, 0, 0, 0, 1_000_000))) {
            long began = System.nanoTime();
            equal(codeOf(() -> platen.render(bytes(SLOW), Format.PNG, new Options().timeout(Duration.ofMillis(50)))), "deadline", "a slow label");
            equal(System.nanoTime() - began < 20_000_000_000L, true, "it ended in time");
            equal(platen.render(HELLO), drawn(HELLO), "the next call");
        }
    }

    private static void threads() throws Exception {
        var want = drawn(HELLO);
        var pool = Executors.newFixedThreadPool(8);
        var platen = new Platen();
        var answers = new ArrayList<java.util.concurrent.Future<Boolean>>();
        for (int i = 0; i < 400; i++) answers.add(pool.submit(() -> Arrays.equals(platen.render(HELLO), want)));
        for (var answer : answers) equal(answer.get(), true, "a picture");
        // Closed while calls are under way: each draws, or is refused.
        answers.clear();
        for (int i = 0; i < 64; i++) {
            answers.add(pool.submit(() -> {
                try {
                    return Arrays.equals(platen.render(HELLO), want);
                } catch (IllegalStateException closed) {
                    return true;
                }
            }));
        }
        platen.close();
        for (var answer : answers) equal(answer.get(), true, "a picture, or closed");
        pool.shutdown();
    }

    private static long resident() throws IOException { return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096; }

    private static void some(Platen platen, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            platen.render(bytes("^XA^FO50,50^A0N,60^FD" + i + "^FS^FO50,150^BY3^BCN,100^FD" + i + "^FS^XZ"), i % 9 == 0 ? Format.PDF : Format.PNG, new Options().rules("default"));
            if (i % 10 == 0) platen.check(bytes(HELLO), new Options());
            if (i % 10 == 5) codeOf(() -> platen.render(bytes(HELLO), Format.PNG, new Options().rotation(45)));
            if (i % 100 == 0) new Platen().render(HELLO); // nobody closes it
        }
        System.gc();
    }

    private static void memory() throws Exception {
        try (var platen = new Platen()) {
            // The compiler of the virtual machine needs memory, too, and on a busy machine late. What is lost grows in every round.
            var grown = new ArrayList<Long>();
            do {
                long before = resident();
                some(platen, 10_000);
                grown.add(resident() - before);
            } while (grown.size() < 6 && grown.get(grown.size() - 1) >= 6 << 20);
            equal(grown.get(grown.size() - 1) < 6 << 20, true, "bytes more in each round: " + grown);
        }
    }

    private static void layout() throws Exception {
        for (var type : Platen.Lib.class.getDeclaredClasses()) {
            if (!Platen.Lib.Layout.class.isAssignableFrom(type) || type == Platen.Lib.Layout.class) continue;
            var one = (Platen.Lib.Layout) type.getDeclaredConstructor().newInstance();
            System.out.println(type.getSimpleName() + " " + one.size());
            for (String field : type.getAnnotation(Structure.FieldOrder.class).value()) System.out.println(type.getSimpleName() + " " + field + " " + one.offsetOf(field));
            for (Field field : type.getFields())
                if (field.getDeclaringClass() == type && !List.of(type.getAnnotation(Structure.FieldOrder.class).value()).contains(field.getName())) throw new AssertionError(field + " has no place");
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            layout();
            return;
        }
        test("the bytes are the program's own", PlatenTest::sameBytes);
        test("findings and description", PlatenTest::findings);
        test("errors", PlatenTest::errors);
        test("a timeout ends a call", PlatenTest::deadlines);
        test("threads", PlatenTest::threads);
        test("memory does not grow", PlatenTest::memory);
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed);
    }
}
