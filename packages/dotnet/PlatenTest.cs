// Run by tests/suites/89-dotnet; PLATEN names the native program. `layout` as argument prints the structures for the comparison with C.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Platen
{
    internal static class PlatenTest
    {
        private const string Hello = "^XA^FO50,50^A0N,60^FDHello^FS^FO50,150^BY3^BCN,100^FD12345^FS^XZ";
        private const string Two = Hello + "^XA^FO9,9^GB99,99,9^FS^PQ3^XZ";

        private static int passed, failed;

        private static void Test(string name, Action test)
        {
            try
            {
                test();
                passed++;
            }
            catch (Exception error)
            {
                failed++;
                Console.WriteLine("FAILED: " + name + "\n" + error);
            }
        }

        private static void Equal<T>(T got, T want, string what)
        {
            if (!EqualityComparer<T>.Default.Equals(got, want))
                throw new Exception(what + ": " + got + ", not " + want);
        }

        private static byte[] Bytes(string code) => Encoding.UTF8.GetBytes(code);

        // What the native program draws.
        private static byte[] Drawn(string code, string arguments = "")
        {
            var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("PLATEN"), "render - " + arguments)
            {
                UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true,
            };
            using (var process = Process.Start(start))
            using (var output = new MemoryStream())
            {
                process.StandardInput.BaseStream.Write(Bytes(code), 0, Bytes(code).Length);
                process.StandardInput.Close();
                process.StandardOutput.BaseStream.CopyTo(output);
                process.WaitForExit();
                return output.ToArray();
            }
        }

        private static void SameBytes()
        {
            using (var engine = new Engine())
            {
                Equal(engine.Render(Hello).SequenceEqual(Drawn(Hello)), true, "the first call");
                Action<string, Format, RenderOptions, string> same = (code, format, options, arguments) =>
                    Equal(engine.Render(Bytes(code), format, options).SequenceEqual(Drawn(code, arguments)), true, arguments);
                same(Hello, Format.Jpeg, new RenderOptions { WidthMm = 80, HeightMm = 40, Dpmm = 12 }, "-f jpeg --width-mm 80 --height-mm 40 --dpmm 12");
                same(Hello, Format.Webp, new RenderOptions { Grayscale = true, Rotation = 90 }, "-f webp --quality grayscale --rotation 90");
                same(Two, Format.Png, new RenderOptions { Label = 1, FitSize = true }, "--page 1 --size auto");
                same(Two, Format.Pdf, new RenderOptions { Printer = true }, "-f pdf --profile printer");
                same("^XA^FO9,9^A0N,40^FC%^FD%H:%M^FS^XZ", Format.Png, new RenderOptions { Time = new DateTime(2026, 1, 31, 13, 45, 0) }, "--time 2026-01-31T13:45:00");
                same("N\nA50,50,0,3,1,1,N,\"epl\"\nP1\n", Format.Png, new RenderOptions { Language = "epl" }, "--language epl");
            }
        }

        private static void Findings()
        {
            using (var engine = new Engine())
            {
                var found = engine.Check(Bytes("^XA^QQ^FO9,9^BEN,50^FDäö^FS^XZ"), new RenderOptions { PrinterModel = "none" });
                Equal(found.Any(one => one.Code == "barcode_data"), true, "of a barcode");
                var first = found[0];
                Equal(first.Code + " " + first.Severity + " " + first.Command + " " + first.Offset + " " + first.Line, "unknown_command Warning ^QQ 3 1", "the first");
                Equal(engine.Check(Bytes(Hello)).Count, 0, "of a good label");
                string text = engine.Describe(Bytes(Hello));
                Equal(text.StartsWith("{") && text.EndsWith("}") && text.Contains("\"decodedData\":\"12345\""), true, text);
            }
        }

        private static string CodeOf(Action test)
        {
            try
            {
                test();
                return "none";
            }
            catch (PlatenException error)
            {
                Equal(error.Message.Length > 0, true, "a message");
                return error.Code;
            }
            catch (Exception error)
            {
                return error.GetType().Name;
            }
        }

        private static void Errors()
        {
            var engine = new Engine(new Limits { InputBytes = 1000 });
            Action<string, string, RenderOptions> refused = (want, code, options) => Equal(CodeOf(() => engine.Render(Bytes(code), Format.Png, options)), want, want);
            refused("invalid", Hello, new RenderOptions { Dpmm = 1000 });
            refused("invalid", Hello, new RenderOptions { Dpmm = double.NaN });
            refused("invalid", Hello, new RenderOptions { Rotation = -90 });
            refused("invalid", Hello, new RenderOptions { Language = "klingon" });
            refused("invalid", Hello, new RenderOptions { Language = null });
            refused("invalid", Hello, new RenderOptions { Rules = "nonsense" });
            refused("invalid", Hello, new RenderOptions { PrinterModel = "äö" });
            refused("not_found", Hello, new RenderOptions { Label = 1 });
            refused("not_found", Hello, new RenderOptions { Label = -1 });
            refused("not_found", "", null);
            refused("limit", string.Concat(Enumerable.Repeat("^XA^XZ", 1000)), null);
            refused("none", Hello, new RenderOptions { Time = DateTime.MinValue });
            Equal(CodeOf(() => engine.Render(Bytes(Hello), (Format)99)), "not_found", "format");
            Equal(CodeOf(() => engine.Render((byte[])null)), "ArgumentNullException", "null");
            Equal(CodeOf(() => engine.Render((string)null)), "ArgumentNullException", "null text");
            engine.Dispose();
            engine.Dispose();
            Equal(CodeOf(() => engine.Render(Hello)), "ObjectDisposedException", "a disposed one");
        }

        private static void Cancelling()
        {
            // Minutes, where nothing ends it.
            byte[] slow = Bytes("^XA" + string.Concat(Enumerable.Repeat("^FO1,1^GC4000,2000^FS", 100000)) + "^XZ");
            using (var engine = new Engine(new Limits { ElementsPerLabel = 1000000 }))
            using (var source = new CancellationTokenSource(50))
            {
                Equal(CodeOf(() => engine.Render(slow, Format.Png, null, source.Token)), "OperationCanceledException", "a slow label");
                Equal(CodeOf(() => engine.Render(Bytes(Hello), Format.Png, null, source.Token)), "OperationCanceledException", "cancelled before");
                Equal(engine.Render(Hello).SequenceEqual(Drawn(Hello)), true, "the next call");
            }
        }

        private static void Threads()
        {
            var want = Drawn(Hello);
            var engine = new Engine();
            Parallel.For(0, 400, new ParallelOptions { MaxDegreeOfParallelism = 8 }, i => Equal(engine.Render(Hello).SequenceEqual(want), true, "a picture"));
            // Disposed while calls are under way: each draws, or is refused.
            var calls = Enumerable.Range(0, 64).Select(i => Task.Run(() => CodeOf(() => Equal(engine.Render(Hello).SequenceEqual(want), true, "a picture")))).ToArray();
            engine.Dispose();
            foreach (var call in calls)
                Equal(call.Result == "none" || call.Result == "ObjectDisposedException", true, call.Result);
        }

        private static long Resident() => long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1]) * 4096;

        private static void Some(Engine engine, int count)
        {
            for (int i = 0; i < count; i++)
            {
                engine.Render(Bytes("^XA^FO50,50^A0N,60^FD" + i + "^FS^FO50,150^BY3^BCN,100^FD" + i + "^FS^XZ"), i % 9 == 0 ? Format.Pdf : Format.Png, new RenderOptions { Rules = "default" });
                if (i % 10 == 0)
                    engine.Check(Bytes(Hello));
                if (i % 10 == 5)
                    CodeOf(() => engine.Render(Bytes(Hello), Format.Png, new RenderOptions { Rotation = 45 }));
                if (i % 100 == 0)
                    new Engine().Render(Hello); // nobody disposes it
            }
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        private static void Memory()
        {
            using (var engine = new Engine())
            {
                // The runtime's own heap settles late. What is lost grows in every round.
                var grown = new List<long>();
                do
                {
                    long before = Resident();
                    Some(engine, 5000);
                    grown.Add(Resident() - before);
                } while (grown.Count < 6 && grown[grown.Count - 1] >= 6 << 20);
                Equal(grown[grown.Count - 1] < 6 << 20, true, "bytes more in each round: " + string.Join(" ", grown));
            }
        }

        private static void Layout()
        {
            foreach (var type in typeof(Native).GetNestedTypes(BindingFlags.NonPublic))
            {
                var name = type.GetCustomAttribute<Native.InC>();
                if (name == null)
                    continue;
                Console.WriteLine(name.Name + " " + Marshal.SizeOf(type));
                foreach (var field in type.GetFields(BindingFlags.NonPublic | BindingFlags.Instance))
                    Console.WriteLine(name.Name + " " + field.Name + " " + Marshal.OffsetOf(type, field.Name));
            }
        }

        private static int Main(string[] arguments)
        {
            if (arguments.Length > 0)
            {
                Layout();
                return 0;
            }
            Test("the bytes are the program's own", SameBytes);
            Test("findings and description", Findings);
            Test("errors", Errors);
            Test("a token ends a call", Cancelling);
            Test("threads", Threads);
            Test("memory does not grow", Memory);
            Console.WriteLine(passed + " passed, " + failed + " failed");
            return failed;
        }
    }
}
