// The label beside its code: the one that the cursor is in, drawn again after each change.
import * as vscode from "vscode";
import { LANGUAGES } from "./languages";

export interface Picture {
  mimeType: string;
  data: string;
  width: number;
  height: number;
  label: number;
  labels: number;
}

type Place = { label: number } | { position: vscode.Position };
type Draw = (uri: vscode.Uri, place: Place, options: object) => Promise<Picture>;

/** What the view says. */
interface Said {
  options?: Record<string, number>;
  label?: number;
  problem?: number;
  pdf?: boolean;
}

const PAUSE_MS = 100;
const SEVERITIES = ["error", "warning", "information", "hint"];

export class Preview implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.TextDocument | undefined;
  private label = 0;
  private place: Place = { label: 0 };
  private options: Record<string, number> = {};
  private problems: vscode.Diagnostic[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drawing = 0;
  private readonly listeners: vscode.Disposable[];

  constructor(private readonly draw: Draw) {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => event.document === this.document && this.later()),
      vscode.languages.onDidChangeDiagnostics((event) => event.uris.some((uri) => uri.toString() === this.shown?.toString()) && this.listProblems()),
      vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.follow(editor)),
    ];
  }

  dispose(): void {
    this.listeners.forEach((listener) => listener.dispose());
    this.panel?.dispose();
  }

  get shown(): vscode.Uri | undefined {
    return this.document?.uri;
  }

  /** `at`: a lens, with the address of the document and a position of its label. */
  show(at?: { uri: string; position: vscode.Position }): void {
    const editor = vscode.window.activeTextEditor;
    const wanted = at && vscode.workspace.textDocuments.find((document) => document.uri.toString() === vscode.Uri.parse(at.uri).toString());
    this.document = wanted ?? editor?.document ?? this.document;
    if (!this.document) return;
    this.place = { position: at?.position ?? editor?.selection.active ?? new vscode.Position(0, 0) };
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel("platen.preview", "Label", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [] });
      this.panel.webview.html = page(vscode.workspace.getConfiguration("platen").get("dpmm", 8));
      this.panel.webview.onDidReceiveMessage((said: Said) => this.hear(said));
      this.panel.onDidDispose(() => {
        this.panel = undefined;
        this.options = {}; // the fields of the next one begin with those of the settings
      });
    }
    this.refresh();
  }

  refresh(): void {
    clearTimeout(this.timer);
    if (this.panel && this.document) void this.drawNow(this.panel, this.document);
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), PAUSE_MS);
  }

  private follow(editor: vscode.TextEditor): void {
    if (!this.panel || !LANGUAGES.includes(editor.document.languageId)) return;
    this.document = editor.document;
    this.place = { position: editor.selection.active };
    this.later();
  }

  private hear(said: Said): void {
    if (said.options) this.options = said.options;
    if (said.label !== undefined) this.place = { label: said.label };
    if (said.pdf) void vscode.commands.executeCommand("platen.openPdf", this.options);
    const problem = said.problem === undefined ? undefined : this.problems[said.problem];
    if (problem && this.document) void vscode.window.showTextDocument(this.document, { selection: problem.range, viewColumn: vscode.ViewColumn.One });
    else if (!said.pdf) this.refresh();
  }

  private async drawNow(panel: vscode.WebviewPanel, document: vscode.TextDocument): Promise<void> {
    const number = ++this.drawing;
    const ask = (place: Place) => this.draw(document.uri, place, this.options);
    try {
      // Between labels the one that was shown stays; of a document that became shorter the first one is.
      const picture = await ask(this.place).catch(() => ask({ label: this.label })).catch(() => ask({ label: 0 }));
      if (number !== this.drawing) return;
      this.label = picture.label;
      panel.title = `Label: ${document.uri.path.split("/").pop()}`;
      await panel.webview.postMessage({ picture });
    } catch (error) {
      if (number === this.drawing) await panel.webview.postMessage({ failure: error instanceof Error ? error.message : String(error) });
    }
    this.listProblems();
  }

  private listProblems(): void {
    if (!this.panel || !this.document) return;
    this.problems = vscode.languages.getDiagnostics(this.document.uri);
    const problems = this.problems.map((one) => ({ text: one.message, severity: SEVERITIES[one.severity], line: one.range.start.line + 1 }));
    void this.panel.webview.postMessage({ problems });
  }
}

function page(dpmm: number): string {
  const nonce = crypto.randomUUID();
  const densities = [[6, 152], [8, 203], [12, 300], [24, 600]].map(([dots, dpi]) => `<option value="${dots}"${dots === dpmm ? " selected" : ""}>${dots} dots/mm (${dpi} dpi)</option>`).join("");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>Label</title>
<style nonce="${nonce}">
body { margin: 0; padding: 0.5rem; font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground); }
form, nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-bottom: 0.5rem; }
select, input, button { font: inherit; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-contrastBorder, var(--vscode-input-border, #8886)); border-radius: 2px; padding: 0.15rem 0.4rem; }
input { width: 4.5rem; }
button { color: var(--vscode-button-foreground); background: var(--vscode-button-background); border: 0; cursor: pointer; }
button:disabled { opacity: 0.5; cursor: default; }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 1px; }
img { max-width: 100%; max-height: 70vh; background: #fff; box-shadow: 0 0 0 1px #8888; }
ul { list-style: none; padding: 0; }
li button { color: inherit; background: none; text-align: start; padding: 0.15rem 0; }
li button::before { content: "\\25CF"; margin-inline-end: 0.4rem; }
li.error button::before { color: var(--vscode-editorError-foreground); }
li.warning button::before { color: var(--vscode-editorWarning-foreground); }
li.information button::before { color: var(--vscode-editorInfo-foreground); }
#failure { color: var(--vscode-errorForeground); }
</style>
</head>
<body>
<form>
<label>Density <select id="dpmm">${densities}</select></label>
<label>Width <input id="widthMm" type="number" min="1" max="1000" step="any" placeholder="as set"> mm</label>
<label>Height <input id="heightMm" type="number" min="1" max="5000" step="any" placeholder="as set"> mm</label>
<button type="button" id="pdf">Open as PDF</button>
</form>
<nav aria-label="Labels"><button id="back" aria-label="Label before">&#8249;</button><span id="number"></span><button id="next" aria-label="Next label">&#8250;</button><span id="size"></span></nav>
<p id="failure" role="status"></p>
<img id="picture" alt="The label" hidden>
<ul id="problems" aria-label="Problems"></ul>
<script nonce="${nonce}">
const host = acquireVsCodeApi();
const $ = (id) => document.getElementById(id);
let shown = { label: 0, labels: 0 };
function options() {
  const values = ["dpmm", "widthMm", "heightMm"].map((name) => [name, Number($(name).value)]);
  return Object.fromEntries(values.filter(([, value]) => value > 0));
}
for (const name of ["dpmm", "widthMm", "heightMm"]) $(name).addEventListener("change", () => host.postMessage({ options: options() }));
$("pdf").addEventListener("click", () => host.postMessage({ pdf: true }));
$("back").addEventListener("click", () => host.postMessage({ label: shown.label - 1 }));
$("next").addEventListener("click", () => host.postMessage({ label: shown.label + 1 }));
addEventListener("message", ({ data }) => {
  if (data.problems) {
    $("problems").replaceChildren(...data.problems.slice(0, 100).map((problem, index) => {
      const item = document.createElement("li"), button = document.createElement("button");
      item.className = problem.severity;
      button.textContent = "Line " + problem.line + ": " + problem.text;
      button.addEventListener("click", () => host.postMessage({ problem: index }));
      item.append(button);
      return item;
    }));
    return;
  }
  $("failure").textContent = data.failure || "";
  if (!data.picture) return;
  shown = data.picture;
  $("picture").src = "data:" + shown.mimeType + ";base64," + shown.data;
  $("picture").hidden = false;
  $("number").textContent = "Label " + (shown.label + 1) + " of " + shown.labels;
  $("size").textContent = shown.width + " \\u00d7 " + shown.height + " dots";
  $("back").disabled = shown.label === 0;
  $("next").disabled = shown.label + 1 >= shown.labels;
});
</script>
</body>
</html>`;
}
