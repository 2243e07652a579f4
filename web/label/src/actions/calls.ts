// The call that makes the same picture, in the languages of docs/clients.md, quoted so that nothing is read into the label's code.

/** More than this does not fit one argument on Linux (128 KiB), and nobody reads it in a program: it comes from a file. */
const LONGEST_ARGUMENT = 100_000;

/** One word for a POSIX shell; for control characters the $'…' form that bash, zsh and ksh read. */
export function shellQuote(text: string): string {
  // A terminal acts on control characters while pasting, before any quoting counts.
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) {
    const escaped = text.replace(/[\\'\x00-\x08\x0b-\x1f\x7f]/g, (character) => {
      if (character === "\\" || character === "'") return `\\${character}`;
      return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
    });
    return `$'${escaped}'`;
  }
  return `'${text.replace(/'/g, "'\\''")}'`;
}

export interface CallRequest {
  url: string;
  zpl: string;
  outputName: string;
  inputName: string;
  /** Sent as a placeholder, never the key itself. */
  needsKey: boolean;
}

function fitsIn({ zpl }: CallRequest): boolean {
  return new TextEncoder().encode(zpl).length <= LONGEST_ARGUMENT && !zpl.includes("\0");
}

export function curlCommand(request: CallRequest): string {
  const fits = fitsIn(request);
  // --data-raw, since --data-binary would take a leading @ for a file name.
  const body = fits ? `--data-raw ${shellQuote(request.zpl)}` : `--data-binary ${shellQuote(`@${request.inputName}`)}`;
  const lines = [`curl --fail ${shellQuote(request.url)}`, `--header 'Content-Type: text/plain'`];
  if (request.needsKey) lines.push(`--header "X-API-Key: $PLATEN_API_KEY"`);
  lines.push(`--output ${shellQuote(request.outputName)}`, body);
  return lines.join(" \\\n  ");
}

/** A string of Python, JavaScript, Java, C# and Go: they share the escapes that JSON has. */
const quoted = (text: string): string => JSON.stringify(text).replace(/[\x7f\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
const inPhp = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
/** PowerShell takes typographic quotes for quotes, too. */
const inPowerShell = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;

const inPython = (request: CallRequest): string => `${request.needsKey ? "import os\n" : ""}import urllib.request

request = urllib.request.Request(
    ${quoted(request.url)},
    data=${fitsIn(request) ? `${quoted(request.zpl)}.encode()` : `open(${quoted(request.inputName)}, "rb").read()`},
    headers={"Content-Type": "text/plain"${request.needsKey ? ', "X-API-Key": os.environ["PLATEN_API_KEY"]' : ""}},
)
with urllib.request.urlopen(request) as response, open(${quoted(request.outputName)}, "wb") as file:
    file.write(response.read())
`;

const inJavaScript = (request: CallRequest): string => `import { ${fitsIn(request) ? "" : "readFile, "}writeFile } from "node:fs/promises";

const response = await fetch(${quoted(request.url)}, {
  method: "POST",
  headers: { "Content-Type": "text/plain"${request.needsKey ? ', "X-API-Key": process.env.PLATEN_API_KEY' : ""} },
  body: ${fitsIn(request) ? quoted(request.zpl) : `await readFile(${quoted(request.inputName)})`},
});
if (!response.ok) throw new Error((await response.json()).error);
await writeFile(${quoted(request.outputName)}, Buffer.from(await response.arrayBuffer()));
`;

const inJava = (request: CallRequest): string => `import java.net.URI;
import java.net.http.*;
import java.nio.file.Path;

public class Label {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${quoted(request.url)}))
                .header("Content-Type", "text/plain")
${request.needsKey ? '                .header("X-API-Key", System.getenv("PLATEN_API_KEY"))\n' : ""}                .POST(HttpRequest.BodyPublishers.${fitsIn(request) ? `ofString(${quoted(request.zpl)})` : `ofFile(Path.of(${quoted(request.inputName)}))`})
                .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofFile(Path.of(${quoted(request.outputName)})));
        if (response.statusCode() != 200) throw new RuntimeException("HTTP status " + response.statusCode());
    }
}
`;

const inCSharp = (request: CallRequest): string => `using System;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

class Label
{
    static void Main() => Render().GetAwaiter().GetResult();

    static async Task Render()
    {
        using (var client = new HttpClient())
        {
${request.needsKey ? '            client.DefaultRequestHeaders.Add("X-API-Key", Environment.GetEnvironmentVariable("PLATEN_API_KEY"));\n' : ""}            var code = new StringContent(${fitsIn(request) ? quoted(request.zpl) : `File.ReadAllText(${quoted(request.inputName)})`}, Encoding.UTF8, "text/plain");
            var response = await client.PostAsync(${quoted(request.url)}, code);
            response.EnsureSuccessStatusCode();
            File.WriteAllBytes(${quoted(request.outputName)}, await response.Content.ReadAsByteArrayAsync());
        }
    }
}
`;

const inGo = (request: CallRequest): string => `package main

import (
	"io"
	"net/http"
	"os"
	"strings"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
${fitsIn(request) ? `	code := ${quoted(request.zpl)}` : `	data, err := os.ReadFile(${quoted(request.inputName)})\n	must(err)\n	code := string(data)`}
	request, err := http.NewRequest("POST", ${quoted(request.url)}, strings.NewReader(code))
	must(err)
	request.Header.Set("Content-Type", "text/plain")
${request.needsKey ? '	request.Header.Set("X-API-Key", os.Getenv("PLATEN_API_KEY"))\n' : ""}	response, err := http.DefaultClient.Do(request)
	must(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(err)
	if response.StatusCode != 200 {
		panic(string(body))
	}
	must(os.WriteFile(${quoted(request.outputName)}, body, 0o644))
}
`;

const inPhpCall = (request: CallRequest): string => `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ['Content-Type: text/plain'${request.needsKey ? ", 'X-API-Key: ' . getenv('PLATEN_API_KEY')" : ""}],
    'content' => ${fitsIn(request) ? inPhp(request.zpl) : `file_get_contents(${inPhp(request.inputName)})`},
]]);
$png = file_get_contents(${inPhp(request.url)}, false, $context);
if ($png === false) exit(1);
file_put_contents(${inPhp(request.outputName)}, $png);
`;

// Bytes: a text would be sent in the system's code page by older versions.
const inPowerShellCall = (request: CallRequest): string => `$code = ${fitsIn(request) ? `[Text.Encoding]::UTF8.GetBytes(${inPowerShell(request.zpl)})` : `[IO.File]::ReadAllBytes((Resolve-Path ${inPowerShell(request.inputName)}))`}
Invoke-WebRequest -Method Post -ContentType 'text/plain' -Body $code \`
${request.needsKey ? "  -Headers @{ 'X-API-Key' = $env:PLATEN_API_KEY } \`\n" : ""}  -Uri ${inPowerShell(request.url)} -OutFile ${inPowerShell(request.outputName)}
`;

/** By the name that people know. */
export const CALLS: Readonly<Record<string, (request: CallRequest) => string>> = {
  curl: curlCommand,
  Python: inPython,
  Java: inJava,
  "C#": inCSharp,
  Go: inGo,
  PHP: inPhpCall,
  JavaScript: inJavaScript,
  PowerShell: inPowerShellCall,
};
