// libplaten for Java 17 by JNA: ZPL II, EPL2, TSPL and CPCL label code to pictures, descriptions and findings.
package platen;

import com.sun.jna.Function;
import com.sun.jna.IntegerType;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.PointerByReference;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;

/**
 * Draws label code. Any number of threads may use one object; each call under way has a renderer of its own, and as many idle ones are
 * kept as there are processors. Bad label code is no exception: it gives findings.
 */
public final class Platen implements AutoCloseable {
    /** Format of a picture file. A PDF has all labels with their copies. */
    public enum Format { PNG, JPEG, WEBP, PDF }

    public enum Severity { INFO, WARNING, ERROR }

    /** Something that is wrong, or that a printer would do otherwise. Offset and length are bytes of the code; label and element are -1 for none. */
    public record Finding(String code, Severity severity, String message, String command, int offset, int length, int line, int column, int label, int element) {}

    /** A failure of the library. The code is "invalid", "limit", "memory", "not_found", "deadline", "cancelled", "io" or "bug". */
    public static final class PlatenException extends RuntimeException {
        private static final long serialVersionUID = 1;
        public final String code;

        PlatenException(String code, String message) {
            super(message);
            this.code = code;
        }
    }

    /** How label code is read and drawn: by default 101.6 by 152.4 mm with 8 dots per millimetre. */
    public static final class Options {
        private double widthMm, heightMm, dpmm;
        private int quality, profile, rotation, label;
        private boolean fitSize;
        private String language = "auto", rules, printerModel;
        private LocalDateTime time;
        private Duration timeout;

        public Options size(double widthMm, double heightMm) { this.widthMm = widthMm; this.heightMm = heightMm; return this; }
        public Options dpmm(double dpmm) { this.dpmm = dpmm; return this; }
        /** The size is taken from the labels. */
        public Options fitSize(boolean fit) { fitSize = fit; return this; }
        /** Of the finished label, clockwise: 0, 90, 180, 270. */
        public Options rotation(int degrees) { rotation = degrees; return this; }
        /** Shades at edges. */
        public Options grayscale(boolean grey) { quality = grey ? 1 : 0; return this; }
        /** A printer's own dots, not those of the reference. */
        public Options printer(boolean printer) { profile = printer ? 1 : 0; return this; }
        /** "zpl", "epl", "tspl", "cpcl", or "auto": the one that recognises the code. */
        public Options language(String name) { language = Objects.requireNonNull(name); return this; }
        /** The printer's clock; null: now. */
        public Options time(LocalDateTime time) { this.time = time; return this; }
        /** Which label is drawn, from 0. A PDF has all of them. */
        public Options label(int index) { label = index; return this; }
        /** A rule set for barcodes; null: "default". */
        public Options rules(String name) { rules = name; return this; }
        /** Reports what a printer of this model would not print. */
        public Options printerModel(String name) { printerModel = name; return this; }
        /** Time of the whole call; null: no limit. */
        public Options timeout(Duration timeout) { this.timeout = timeout; return this; }

        private Lib.platen_options read(boolean elements, boolean verify) {
            var to = new Lib.platen_options();
            to.size.setValue(to.size());
            to.width_mm = widthMm;
            to.height_mm = heightMm;
            to.dpmm = dpmm;
            to.quality = quality;
            to.profile = profile;
            to.rotation = rotation;
            to.fit_size = flag(fitSize);
            to.collapse_copies = to.copy_input = 1;
            to.has_time = flag(time != null);
            to.time = time == null ? 0 : time.toEpochSecond(ZoneOffset.UTC); // the library reads it without a zone
            to.want_elements = flag(elements);
            to.verify = flag(verify);
            to.rules = rules;
            to.deadline_ns = deadline(timeout);
            to.language = List.of("auto", "zpl", "epl", "tspl", "cpcl").indexOf(language);
            to.printer_model = printerModel;
            return to;
        }
    }

    /** Limits of a Platen; 0 is the default. */
    public record Limits(long inputBytes, int labels, long dotsPerLabel, long memoryBytes, int elementsPerLabel) {}

    private static final Cleaner CLEANER = Cleaner.create();
    private static final Function CLOCK = Function.getFunction("c", "clock_gettime");
    private static final Duration LONGEST = Duration.ofDays(36500);

    /** What belongs to the library; without a reference to its Platen, so that a Platen that nobody closed is noticed. */
    private static final class State implements Runnable {
        private final ArrayDeque<Pointer> idle = new ArrayDeque<>();
        private Pointer engine;
        private int busy;
        private boolean closed;

        synchronized Pointer take() {
            if (closed) throw new IllegalStateException("the Platen is closed");
            Pointer worker = idle.poll();
            if (worker == null) worker = made((out, err) -> Lib.LIB.platen_worker_new(engine, out, err));
            busy++;
            return worker;
        }

        synchronized void give(Pointer worker) {
            Lib.LIB.platen_worker_trim(worker);
            if (idle.size() < Runtime.getRuntime().availableProcessors()) idle.push(worker);
            else Lib.LIB.platen_worker_free(worker);
            busy--;
            if (closed) run();
        }

        /** Ends all, after the calls that are under way. */
        @Override public synchronized void run() {
            closed = true;
            if (busy > 0) return;
            for (Pointer worker; (worker = idle.poll()) != null;) Lib.LIB.platen_worker_free(worker);
            Lib.LIB.platen_engine_free(engine); // takes NULL, too
            engine = null;
        }
    }

    private final State state = new State();
    private final Cleaner.Cleanable cleanable;

    public Platen() { this(new Limits(0, 0, 0, 0, 0)); }

    public Platen(Limits limits) {
        var options = new Lib.platen_engine_options();
        options.size.setValue(options.size());
        options.input_bytes.setValue(limits.inputBytes());
        options.labels = limits.labels();
        options.dots_per_label = limits.dotsPerLabel();
        options.arena_bytes.setValue(limits.memoryBytes());
        options.elements_per_label = limits.elementsPerLabel();
        state.engine = made((out, err) -> Lib.LIB.platen_engine_new(options, out, err));
        cleanable = CLEANER.register(this, state);
    }

    public static String version() { return Lib.LIB.platen_version(); }

    /** The PNG of one label, or another format. */
    public byte[] render(String code) { return render(code.getBytes(StandardCharsets.UTF_8), Format.PNG, new Options()); }

    public byte[] render(byte[] code, Format format, Options options) {
        boolean pdf = format == Format.PDF; // its texts are those of the elements
        return document(code, options.read(pdf, false), (worker, document) -> bytes(out -> {
            if (pdf) drawAll(worker, document, out);
            else succeed(err -> Lib.LIB.platen_encode(worker, draw(worker, document, options.label), format.ordinal(), null, out, err));
        }));
    }

    /** All labels with their PNG, elements and findings, as the JSON of POST /api/render/json. Barcodes are read back. */
    public String describe(byte[] code, Options options) {
        return new String(document(code, options.read(true, true), (worker, document) ->
            bytes(out -> succeed(err -> Lib.LIB.platen_describe(worker, document, null, out, err)))), StandardCharsets.UTF_8);
    }

    /** All findings: of the code, of the drawn labels, and of every barcode, which is read back. */
    public List<Finding> check(byte[] code, Options options) {
        return document(code, options.read(true, true), (worker, document) -> {
            var found = new ArrayList<Finding>();
            var one = new Lib.platen_diagnostic();
            var size = new Lib.Size(one.size());
            for (int i = 0; i < Lib.LIB.platen_diagnostic_count(document); i++)
                if (Lib.LIB.platen_diagnostic_at(document, i, one, size) != 0) found.add(one.finding());
            for (int label = 0; label < Lib.LIB.platen_label_count(document); label++) {
                Pointer page = draw(worker, document, label);
                for (int i = 0; i < Lib.LIB.platen_page_diagnostic_count(page); i++)
                    if (Lib.LIB.platen_page_diagnostic_at(page, i, one, size) != 0) found.add(one.finding());
            }
            return found;
        });
    }

    /** Frees the library's memory, after the calls that are under way. Later calls throw IllegalStateException. */
    @Override public void close() { cleanable.clean(); }

    private <T> T document(byte[] code, Lib.platen_options options, BiFunction<Pointer, Pointer, T> use) {
        Pointer worker = state.take();
        Pointer document = null;
        try {
            document = made((out, err) -> Lib.LIB.platen_parse(worker, code, new Lib.Size(code.length), options, out, err));
            return use.apply(worker, document);
        } finally {
            Lib.LIB.platen_document_free(document);
            state.give(worker);
            Reference.reachabilityFence(options);
            Reference.reachabilityFence(this); // or it could be freed before the call takes a renderer
        }
    }

    private static void drawAll(Pointer worker, Pointer document, Lib.platen_buffer out) {
        var part = new Lib.platen_buffer();
        var label = new Lib.platen_label();
        Pointer pdf = made((at, err) -> Lib.LIB.platen_pdf_new("Labels", out, at, err)); // the title of the program's PDF
        try {
            for (int i = 0; i < Lib.LIB.platen_label_count(document); i++) {
                Pointer page = draw(worker, document, i);
                Lib.LIB.platen_label_at(document, i, label, new Lib.Size(label.size()));
                succeed(err -> Lib.LIB.platen_pdf_part(worker, page, part, err));
                succeed(err -> Lib.LIB.platen_pdf_add(pdf, part, label.copies, err));
            }
            succeed(err -> Lib.LIB.platen_pdf_finish(pdf, err));
        } finally {
            Lib.LIB.platen_pdf_free(pdf);
            Lib.LIB.platen_buffer_free(part);
        }
    }

    private static Pointer draw(Pointer worker, Pointer document, int index) {
        return made((out, err) -> Lib.LIB.platen_draw(worker, document, index, out, err));
    }

    private static byte[] bytes(Consumer<Lib.platen_buffer> fill) {
        var buffer = new Lib.platen_buffer();
        try {
            fill.accept(buffer);
            buffer.read();
            if (buffer.size.longValue() > Integer.MAX_VALUE - 8) throw new PlatenException("limit", "the result is larger than 2 GiB");
            return buffer.data.getByteArray(0, buffer.size.intValue());
        } finally {
            Lib.LIB.platen_buffer_free(buffer);
        }
    }

    private static Pointer made(ToIntBiFunction<PointerByReference, Lib.platen_error> maker) {
        var out = new PointerByReference();
        succeed(err -> maker.applyAsInt(out, err));
        return out.getValue();
    }

    private static void succeed(ToIntFunction<Lib.platen_error> call) {
        var err = new Lib.platen_error();
        int status = call.applyAsInt(err);
        if (status != 0) throw new PlatenException(Lib.LIB.platen_status_name(status), Native.toString(err.message, "UTF-8"));
    }

    private static byte flag(boolean value) { return (byte) (value ? 1 : 0); }

    /** 0 is none, 1 is over. */
    private static long deadline(Duration timeout) {
        if (timeout == null || timeout.compareTo(LONGEST) > 0) return 0;
        return timeout.isNegative() ? 1 : monotonic() + timeout.toNanos();
    }

    /** The clock of deadlines: CLOCK_MONOTONIC. */
    private static long monotonic() {
        try (var now = new Memory(16)) {
            CLOCK.invokeInt(new Object[] {1, now});
            return now.getLong(0) * 1_000_000_000L + now.getLong(8);
        }
    }

    /** The library's functions and structures: names, order and types are those of platen.h; C's bool is a byte. */
    interface Lib extends Library {
        Lib LIB = Native.load("libplaten.so.1", Lib.class, Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));

        final class Size extends IntegerType {
            private static final long serialVersionUID = 1;
            public Size() { this(0); }
            public Size(long value) { super(Native.SIZE_T_SIZE, value, true); }
        }

        abstract class Layout extends Structure {
            int offsetOf(String field) { return fieldOffset(field); }
        }

        @FieldOrder({"status", "message"})
        final class platen_error extends Layout {
            public int status;
            public byte[] message = new byte[256];
        }

        @FieldOrder({"data", "size", "capacity"})
        final class platen_buffer extends Layout {
            public Pointer data;
            public Size size = new Size(), capacity = new Size();

            { setAutoWrite(false); } // only the library changes it, also in calls that do not name it
        }

        @FieldOrder({"size", "objects_dir", "input_bytes", "labels", "dots_per_label", "decoded_graphics", "stored_bytes", "arena_bytes", "elements_per_label",
            "diagnostics", "glyph_cache_bytes", "font_at", "font_context", "copies", "reserved"})
        final class platen_engine_options extends Layout {
            public Size size = new Size();
            public String objects_dir;
            public Size input_bytes = new Size();
            public int labels;
            public long dots_per_label;
            public Size decoded_graphics = new Size(), stored_bytes = new Size(), arena_bytes = new Size();
            public int elements_per_label, diagnostics;
            public Size glyph_cache_bytes = new Size();
            public Pointer font_at, font_context;
            public int copies, reserved;
        }

        @FieldOrder({"size", "width_mm", "height_mm", "dpmm", "quality", "profile", "rotation", "fit_size", "collapse_copies", "has_time", "time", "want_elements",
            "verify", "rules", "min_module_mm", "after", "cancel", "deadline_ns", "linter", "copy_input", "reserved", "language", "printer_model"})
        final class platen_options extends Layout {
            public Size size = new Size();
            public double width_mm, height_mm, dpmm;
            public int quality, profile, rotation;
            public byte fit_size, collapse_copies, has_time;
            public long time;
            public byte want_elements, verify;
            public String rules;
            public double min_module_mm;
            public Pointer after, cancel;
            public long deadline_ns;
            public byte linter, copy_input;
            public byte[] reserved = new byte[2];
            public int language;
            public String printer_model;
        }

        @FieldOrder({"copies", "offset", "length"})
        final class platen_label extends Layout {
            public int copies, offset, length;
        }

        @FieldOrder({"code", "severity", "message", "command", "offset", "length", "line", "column", "label", "parameter", "element", "missing_mm"})
        final class platen_diagnostic extends Layout {
            public String code;
            public int severity;
            public String message, command;
            public int offset, length, line, column, label, parameter, element;
            public double missing_mm;

            Finding finding() { return new Finding(code, Severity.values()[severity], message, command, offset, length, line, column, label, element); }
        }

        String platen_status_name(int status);
        String platen_version();
        int platen_engine_new(platen_engine_options options, PointerByReference out, platen_error err);
        void platen_engine_free(Pointer engine);
        int platen_worker_new(Pointer engine, PointerByReference out, platen_error err);
        void platen_worker_trim(Pointer worker);
        void platen_worker_free(Pointer worker);
        int platen_parse(Pointer worker, byte[] code, Size size, platen_options options, PointerByReference out, platen_error err);
        void platen_document_free(Pointer document);
        int platen_label_count(Pointer document);
        byte platen_label_at(Pointer document, int index, platen_label out, Size size);
        int platen_diagnostic_count(Pointer document);
        byte platen_diagnostic_at(Pointer document, int index, platen_diagnostic out, Size size);
        int platen_draw(Pointer worker, Pointer document, int index, PointerByReference page, platen_error err);
        int platen_page_diagnostic_count(Pointer page);
        byte platen_page_diagnostic_at(Pointer page, int index, platen_diagnostic out, Size size);
        int platen_encode(Pointer worker, Pointer page, int format, Pointer options, platen_buffer out, platen_error err);
        int platen_describe(Pointer worker, Pointer document, Pointer options, platen_buffer out, platen_error err);
        int platen_pdf_new(String title, platen_buffer out, PointerByReference pdf, platen_error err);
        int platen_pdf_part(Pointer worker, Pointer page, platen_buffer part, platen_error err);
        int platen_pdf_add(Pointer pdf, platen_buffer part, int copies, platen_error err);
        int platen_pdf_finish(Pointer pdf, platen_error err);
        void platen_pdf_free(Pointer pdf);
        void platen_buffer_free(platen_buffer buffer);
    }
}
