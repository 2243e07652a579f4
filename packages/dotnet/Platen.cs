// libplaten for .NET by P/Invoke: ZPL II, EPL2, TSPL and CPCL label code to pictures, descriptions and findings. C# 7.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace Platen
{
    /// <summary>Format of a picture file. A PDF has all labels with their copies.</summary>
    public enum Format { Png, Jpeg, Webp, Pdf }

    public enum Severity { Info, Warning, Error }

    /// <summary>Something that is wrong, or that a printer would do otherwise. Offset and Length are bytes of the code; Label and Element are -1 for none.</summary>
    public sealed class Finding
    {
        public string Code { get; internal set; }
        public Severity Severity { get; internal set; }
        public string Message { get; internal set; }
        public string Command { get; internal set; }
        public int Offset { get; internal set; }
        public int Length { get; internal set; }
        public int Line { get; internal set; }
        public int Column { get; internal set; }
        public int Label { get; internal set; }
        public int Element { get; internal set; }
    }

    /// <summary>A failure of the library. Code is "invalid", "limit", "memory", "not_found", "io" or "bug".</summary>
    public sealed class PlatenException : Exception
    {
        public string Code { get; }
        internal PlatenException(string code, string message) : base(message) { Code = code; }
    }

    /// <summary>How label code is read and drawn: by default 101.6 by 152.4 mm with 8 dots per millimetre.</summary>
    public sealed class RenderOptions
    {
        public double WidthMm { get; set; }
        public double HeightMm { get; set; }
        public double Dpmm { get; set; }
        /// <summary>The size is taken from the labels.</summary>
        public bool FitSize { get; set; }
        /// <summary>Of the finished label, clockwise: 0, 90, 180, 270.</summary>
        public int Rotation { get; set; }
        /// <summary>Shades at edges.</summary>
        public bool Grayscale { get; set; }
        /// <summary>A printer's own dots, not those of the reference.</summary>
        public bool Printer { get; set; }
        /// <summary>"zpl", "epl", "tspl", "cpcl"; "auto": the one that recognises the code.</summary>
        public string Language { get; set; } = "auto";
        /// <summary>The printer's clock, without a zone; null: now.</summary>
        public DateTime? Time { get; set; }
        /// <summary>Which label Render draws, from 0; a PDF has all.</summary>
        public int Label { get; set; }
        /// <summary>Rule set for barcodes; null: "default".</summary>
        public string Rules { get; set; }
        /// <summary>Reports what a printer of this model would not print.</summary>
        public string PrinterModel { get; set; }
    }

    /// <summary>Limits of an Engine; 0 is the default.</summary>
    public sealed class Limits
    {
        public long InputBytes { get; set; }
        public int Labels { get; set; }
        public long DotsPerLabel { get; set; }
        public long MemoryBytes { get; set; }
        public int ElementsPerLabel { get; set; }
    }

    /// <summary>
    /// Draws label code. Any number of threads may use one engine; each call under way has a renderer of its own, and as many idle ones
    /// are kept as there are processors. Bad label code is no exception: it gives findings.
    /// </summary>
    public sealed class Engine : IDisposable
    {
        private static readonly DateTime Epoch = new DateTime(1970, 1, 1);
        private static readonly string[] Languages = { "auto", "zpl", "epl", "tspl", "cpcl" };
        private readonly object gate = new object();
        private readonly Stack<IntPtr> idle = new Stack<IntPtr>();
        private IntPtr engine;
        private int busy;
        private bool closed;

        public Engine() : this(new Limits()) { }

        public Engine(Limits limits)
        {
            var options = new Native.EngineOptions
            {
                size = Native.SizeOf<Native.EngineOptions>(),
                input_bytes = (UIntPtr)(ulong)limits.InputBytes,
                labels = (uint)limits.Labels,
                dots_per_label = (ulong)limits.DotsPerLabel,
                arena_bytes = (UIntPtr)(ulong)limits.MemoryBytes,
                elements_per_label = (uint)limits.ElementsPerLabel,
            };
            Succeed(Native.platen_engine_new(ref options, out engine, out var error), ref error);
        }

        ~Engine() { Close(); }

        public static string Version => Text(Native.platen_version());

        /// <summary>The PNG of the first label.</summary>
        public byte[] Render(string code) => Render(Encoding.UTF8.GetBytes(code));

        /// <summary>One label, or all of them as a PDF.</summary>
        public byte[] Render(byte[] code, Format format = Format.Png, RenderOptions options = null, CancellationToken cancel = default(CancellationToken))
        {
            options = options ?? new RenderOptions();
            // The texts of a PDF are those of its elements.
            return WithDocument(code, options, format == Format.Pdf, false, cancel, (worker, document) => WithBuffer(buffer =>
            {
                if (format == Format.Pdf)
                    DrawAll(worker, document, buffer);
                else
                    Succeed(Native.platen_encode(worker, Draw(worker, document, options.Label), (int)format, IntPtr.Zero, buffer, out var error), ref error);
            }));
        }

        /// <summary>All labels with their PNG, elements and findings, as the JSON of POST /api/render/json. Barcodes are read back.</summary>
        public string Describe(byte[] code, RenderOptions options = null, CancellationToken cancel = default(CancellationToken))
        {
            return Encoding.UTF8.GetString(WithDocument(code, options ?? new RenderOptions(), true, true, cancel, (worker, document) => WithBuffer(buffer =>
                Succeed(Native.platen_describe(worker, document, IntPtr.Zero, buffer, out var error), ref error))));
        }

        /// <summary>All findings: of the code, of the drawn labels, and of every barcode, which is read back.</summary>
        public IReadOnlyList<Finding> Check(byte[] code, RenderOptions options = null, CancellationToken cancel = default(CancellationToken))
        {
            return WithDocument(code, options ?? new RenderOptions(), true, true, cancel, (worker, document) =>
            {
                var found = new List<Finding>();
                var size = Native.SizeOf<Native.Diagnostic>();
                Native.Diagnostic one;
                for (uint i = 0; Native.platen_diagnostic_at(document, i, out one, size) != 0; i++)
                    found.Add(FindingOf(one));
                for (int label = 0; label < Native.platen_label_count(document); label++)
                {
                    IntPtr page = Draw(worker, document, label);
                    for (uint i = 0; Native.platen_page_diagnostic_at(page, i, out one, size) != 0; i++)
                        found.Add(FindingOf(one));
                }
                return found;
            });
        }

        /// <summary>Frees the library's memory, after the calls that are under way. Later calls throw ObjectDisposedException.</summary>
        public void Dispose()
        {
            Close();
            GC.SuppressFinalize(this);
        }

        private void Close()
        {
            lock (gate)
            {
                closed = true;
                FreeIfDone();
            }
        }

        // With the gate held.
        private void FreeIfDone()
        {
            if (!closed || busy > 0 || engine == IntPtr.Zero) // without the library none was made, and none can be freed
                return;
            while (idle.Count > 0)
                Native.platen_worker_free(idle.Pop());
            Native.platen_engine_free(engine);
            engine = IntPtr.Zero;
        }

        private IntPtr Take()
        {
            lock (gate)
            {
                if (closed)
                    throw new ObjectDisposedException(nameof(Engine));
                IntPtr worker;
                if (idle.Count > 0)
                    worker = idle.Pop();
                else
                    Succeed(Native.platen_worker_new(engine, out worker, out var error), ref error);
                busy++;
                return worker;
            }
        }

        private void Give(IntPtr worker)
        {
            Native.platen_worker_trim(worker);
            lock (gate)
            {
                if (idle.Count < Environment.ProcessorCount)
                    idle.Push(worker);
                else
                    Native.platen_worker_free(worker);
                busy--;
                FreeIfDone();
            }
        }

        private T WithDocument<T>(byte[] code, RenderOptions o, bool elements, bool verify, CancellationToken cancel, Func<IntPtr, IntPtr, T> use)
        {
            if (code == null)
                throw new ArgumentNullException(nameof(code));
            cancel.ThrowIfCancellationRequested();
            var options = new Native.Options
            {
                size = Native.SizeOf<Native.Options>(),
                width_mm = o.WidthMm,
                height_mm = o.HeightMm,
                dpmm = o.Dpmm,
                quality = o.Grayscale ? 1 : 0,
                profile = o.Printer ? 1 : 0,
                rotation = (uint)o.Rotation,
                fit_size = Flag(o.FitSize),
                collapse_copies = 1,
                copy_input = 1,
                has_time = Flag(o.Time != null),
                time = o.Time == null ? 0 : (long)Math.Floor((o.Time.Value - Epoch).TotalSeconds), // the library reads it without a zone
                want_elements = Flag(elements),
                verify = Flag(verify),
                language = Array.IndexOf(Languages, o.Language),
            };
            IntPtr worker = Take(), document = IntPtr.Zero;
            try
            {
                options.rules = Utf8(o.Rules);
                options.printer_model = Utf8(o.PrinterModel);
                options.cancel = Utf8(""); // a byte that is 0
                // The library is told when the token is cancelled; that ends before the byte is freed.
                using (cancel.Register(() => Native.platen_cancel_set(options.cancel)))
                {
                    Succeed(Native.platen_parse(worker, code, (UIntPtr)(ulong)code.LongLength, ref options, out document, out var error), ref error);
                    return use(worker, document);
                }
            }
            catch (PlatenException failed) when (failed.Code == "cancelled")
            {
                throw new OperationCanceledException(failed.Message, failed, cancel);
            }
            finally
            {
                Native.platen_document_free(document);
                foreach (var text in new[] { options.rules, options.printer_model, options.cancel })
                    Marshal.FreeHGlobal(text);
                Give(worker);
            }
        }

        private static IntPtr Draw(IntPtr worker, IntPtr document, int index)
        {
            Succeed(Native.platen_draw(worker, document, (uint)index, out var page, out var error), ref error);
            return page;
        }

        private static void DrawAll(IntPtr worker, IntPtr document, IntPtr buffer)
        {
            var part = new Native.Buffer();
            // "Labels" is the title of the program's PDF.
            Succeed(Native.platen_pdf_new("Labels", buffer, out var pdf, out var error), ref error);
            try
            {
                for (int i = 0; i < Native.platen_label_count(document); i++)
                {
                    IntPtr page = Draw(worker, document, i);
                    Native.platen_label_at(document, (uint)i, out var label, Native.SizeOf<Native.Label>());
                    Succeed(Native.platen_pdf_part(worker, page, ref part, out error), ref error);
                    Succeed(Native.platen_pdf_add(pdf, ref part, label.copies, out error), ref error);
                }
                Succeed(Native.platen_pdf_finish(pdf, out error), ref error);
            }
            finally
            {
                Native.platen_pdf_free(pdf);
                Native.platen_buffer_free(ref part);
            }
        }

        // The buffer has a fixed place: a PDF keeps it from call to call.
        private static byte[] WithBuffer(Action<IntPtr> fill)
        {
            IntPtr at = Marshal.AllocHGlobal(Marshal.SizeOf(typeof(Native.Buffer)));
            Marshal.StructureToPtr(new Native.Buffer(), at, false);
            try
            {
                fill(at);
                var filled = Marshal.PtrToStructure<Native.Buffer>(at);
                if ((ulong)filled.size > 0x7FFFFFC7) // the longest array
                    throw new PlatenException("limit", "the result is larger than 2 GiB");
                var bytes = new byte[(int)filled.size];
                Marshal.Copy(filled.data, bytes, 0, bytes.Length);
                return bytes;
            }
            finally
            {
                Native.platen_buffer_free_at(at);
                Marshal.FreeHGlobal(at);
            }
        }

        private static Finding FindingOf(Native.Diagnostic d)
        {
            return new Finding
            {
                Code = Text(d.code), Severity = (Severity)d.severity, Message = Text(d.message), Command = Text(d.command), Offset = (int)d.offset,
                Length = (int)d.length, Line = (int)d.line, Column = (int)d.column, Label = d.label, Element = d.element,
            };
        }

        private static void Succeed(int status, ref Native.Error error)
        {
            if (status != 0)
                throw new PlatenException(Text(Native.platen_status_name(status)), Text(error.message));
        }

        private static byte Flag(bool value) => (byte)(value ? 1 : 0);

        private static string Text(byte[] bytes) => Encoding.UTF8.GetString(bytes, 0, Math.Max(Array.IndexOf(bytes, (byte)0), 0));

        private static string Text(IntPtr text)
        {
            int length = 0;
            while (text != IntPtr.Zero && Marshal.ReadByte(text, length) != 0)
                length++;
            var bytes = new byte[length];
            if (length > 0)
                Marshal.Copy(text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        private static IntPtr Utf8(string text)
        {
            if (text == null)
                return IntPtr.Zero;
            var bytes = Encoding.UTF8.GetBytes(text + "\0");
            IntPtr copy = Marshal.AllocHGlobal(bytes.Length);
            Marshal.Copy(bytes, 0, copy, bytes.Length);
            return copy;
        }
    }

    /// <summary>The library's functions and structures: names, order and types are those of platen.h; C's bool is a byte.</summary>
    internal static class Native
    {
        private const string Library = "libplaten.so.1";

        internal static UIntPtr SizeOf<T>() => (UIntPtr)(uint)Marshal.SizeOf(typeof(T));

        // The structure's name in C, for the test that compares both.
        internal sealed class InC : Attribute
        {
            internal readonly string Name;
            internal InC(string name) { Name = name; }
        }

        [InC("platen_error")]
        internal struct Error
        {
            internal int status;
            [MarshalAs(UnmanagedType.ByValArray, SizeConst = 256)] internal byte[] message;
        }

        [InC("platen_buffer")]
        internal struct Buffer
        {
            internal IntPtr data;
            internal UIntPtr size, capacity;
        }

        [InC("platen_engine_options")]
        internal struct EngineOptions
        {
            internal UIntPtr size;
            internal IntPtr objects_dir;
            internal UIntPtr input_bytes;
            internal uint labels;
            internal ulong dots_per_label;
            internal UIntPtr decoded_graphics, stored_bytes, arena_bytes;
            internal uint elements_per_label, diagnostics;
            internal UIntPtr glyph_cache_bytes;
            internal IntPtr font_at, font_context;
            internal uint copies, reserved;
        }

        [InC("platen_options")]
        internal struct Options
        {
            internal UIntPtr size;
            internal double width_mm, height_mm, dpmm;
            internal int quality, profile;
            internal uint rotation;
            internal byte fit_size, collapse_copies, has_time;
            internal long time;
            internal byte want_elements, verify;
            internal IntPtr rules;
            internal double min_module_mm;
            internal IntPtr after, cancel;
            internal ulong deadline_ns;
            internal byte linter, copy_input;
            internal ushort reserved;
            internal int language;
            internal IntPtr printer_model;
        }

        [InC("platen_label")]
        internal struct Label
        {
            internal uint copies, offset, length;
        }

        [InC("platen_diagnostic")]
        internal struct Diagnostic
        {
            internal IntPtr code;
            internal int severity;
            internal IntPtr message, command;
            internal uint offset, length, line, column;
            internal int label;
            internal uint parameter;
            internal int element;
            internal double missing_mm;
        }

        [DllImport(Library)] internal static extern IntPtr platen_version();
        [DllImport(Library)] internal static extern IntPtr platen_status_name(int status);
        [DllImport(Library)] internal static extern int platen_engine_new(ref EngineOptions options, out IntPtr engine, out Error error);
        [DllImport(Library)] internal static extern void platen_engine_free(IntPtr engine);
        [DllImport(Library)] internal static extern int platen_worker_new(IntPtr engine, out IntPtr worker, out Error error);
        [DllImport(Library)] internal static extern void platen_worker_trim(IntPtr worker);
        [DllImport(Library)] internal static extern void platen_worker_free(IntPtr worker);
        [DllImport(Library)] internal static extern void platen_cancel_set(IntPtr cancel);
        [DllImport(Library)] internal static extern int platen_parse(IntPtr worker, byte[] code, UIntPtr size, ref Options options, out IntPtr document, out Error error);
        [DllImport(Library)] internal static extern void platen_document_free(IntPtr document);
        [DllImport(Library)] internal static extern uint platen_label_count(IntPtr document);
        [DllImport(Library)] internal static extern byte platen_label_at(IntPtr document, uint index, out Label label, UIntPtr size);
        [DllImport(Library)] internal static extern byte platen_diagnostic_at(IntPtr document, uint index, out Diagnostic finding, UIntPtr size);
        [DllImport(Library)] internal static extern int platen_draw(IntPtr worker, IntPtr document, uint index, out IntPtr page, out Error error);
        [DllImport(Library)] internal static extern byte platen_page_diagnostic_at(IntPtr page, uint index, out Diagnostic finding, UIntPtr size);
        [DllImport(Library)] internal static extern int platen_encode(IntPtr worker, IntPtr page, int format, IntPtr options, IntPtr buffer, out Error error);
        [DllImport(Library)] internal static extern int platen_describe(IntPtr worker, IntPtr document, IntPtr options, IntPtr buffer, out Error error);
        [DllImport(Library)] internal static extern int platen_pdf_new(string title, IntPtr buffer, out IntPtr pdf, out Error error);
        [DllImport(Library)] internal static extern int platen_pdf_part(IntPtr worker, IntPtr page, ref Buffer part, out Error error);
        [DllImport(Library)] internal static extern int platen_pdf_add(IntPtr pdf, ref Buffer part, uint copies, out Error error);
        [DllImport(Library)] internal static extern int platen_pdf_finish(IntPtr pdf, out Error error);
        [DllImport(Library)] internal static extern void platen_pdf_free(IntPtr pdf);
        [DllImport(Library)] internal static extern void platen_buffer_free(ref Buffer buffer);
        [DllImport(Library, EntryPoint = "platen_buffer_free")] internal static extern void platen_buffer_free_at(IntPtr buffer);
    }
}
