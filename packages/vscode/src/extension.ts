// What both entries share: the client's life, commands, and the check of a folder.
import * as vscode from "vscode";
import { CloseAction, ErrorAction, type BaseLanguageClient, type LanguageClientOptions } from "vscode-languageclient";
import { FILES, LANGUAGES, languageOf } from "./languages";
import { Preview, type Picture } from "./preview";

const MOST_FILES = 5000;
const MOST_BYTES = 16 << 20;
/** Servers that ended by themselves and are started again, before that is given up. */
const MOST_ENDS = 5;

/** A server that has not answered by then is given up: everything else would wait for it. */
const START_MS = 30000;

/** A server that was made, and what ends its worker or its program. */
export interface Server {
  client: BaseLanguageClient;
  terminate(): void;
}

/** `broke`: the worker or the program has ended by itself. */
type Make = (options: LanguageClientOptions, broke: (reason: string) => void) => Promise<Server>;

export const MODULE = "platen-lsp.wasm";

export async function readInstalled(context: vscode.ExtensionContext, name: string): Promise<Uint8Array> {
  // A buffer of its own: node's may be part of a larger one.
  return new Uint8Array(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, "dist", name)));
}

/** The render controls of the settings: those that are given. */
function controls(): Record<string, unknown> {
  const settings = vscode.workspace.getConfiguration("platen");
  const all: [string, unknown][] = ["dpmm", "widthMm", "heightMm", "docsUrl"].map((name) => [name, settings.get(name)]);
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined && value !== ""));
}

function ask<T>(client: BaseLanguageClient, command: string, argument: object): Promise<T> {
  return client.sendRequest("workspace/executeCommand", { command, arguments: [argument] });
}

export class Extension {
  private server: Server | undefined;
  private ends = 0;
  private turn: Promise<void> = Promise.resolve();
  private readonly preview: Preview;
  /** Findings of files that are not open. */
  private readonly closed = vscode.languages.createDiagnosticCollection("platen folder");
  /** Files that are being checked, and what came for them. */
  private readonly checking = new Map<string, vscode.Diagnostic[]>();

  constructor(
    context: vscode.ExtensionContext,
    private readonly make: Make,
  ) {
    this.preview = new Preview((uri, place, options) => this.picture(uri, place, options));
    const command = (name: string, run: (...values: never[]) => unknown) => vscode.commands.registerCommand(name, run);
    context.subscriptions.push(
      this.closed,
      this.preview,
      command("platen.showPreview", () => this.preview.show()),
      command("platen.openPdf", (options?: object) => this.openPdf(options)),
      command("platen.checkFolder", (folder?: vscode.Uri) => this.checkFolder(folder)),
      command("platen.restart", () => {
        this.ends = 0;
        return this.restart();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("platen") && void this.restart()),
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.closed.delete(document.uri);
        // From now on the client opens and closes it, and shows what the server finds.
        if (LANGUAGES.includes(document.languageId)) this.checking.delete(document.uri.toString());
      }),
    );
  }

  start(): Promise<void> {
    return this.inTurn(() => this.begin());
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.end());
  }

  private restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.end();
      await this.begin();
    });
  }

  // Settings can change while the server starts: two clients would have the same commands.
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(work).catch((error) => void vscode.window.showErrorMessage(`Platen: ${error instanceof Error ? error.message : String(error)}`));
    return this.turn;
  }

  private async begin(): Promise<void> {
    let started = false;
    let fail!: (error: Error) => void;
    const failed = new Promise<never>((_, reject) => (fail = reject));
    failed.catch(() => undefined); // it may come before anybody waits for it
    const ended = (reason: string) => (started ? this.ended(server, reason) : fail(new Error(reason)));
    const server = await this.make({
      documentSelector: LANGUAGES.map((language) => ({ language })),
      initializationOptions: controls(),
      initializationFailedHandler: () => false, // inTurn tells it
      // The client would start its program again by itself, also one that was given up.
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          setTimeout(() => ended("Its program has ended."), 0); // when the client is done with it
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) => {
          if (this.checking.has(uri.toString())) this.checking.set(uri.toString(), diagnostics);
          else next(uri, diagnostics);
        },
        // The lens above a label.
        executeCommand: (name, values, next) => (name === "platen.preview" ? this.preview.show(values[0]) : next(name, values)),
      },
    }, ended);
    server.client.onNotification("platen/ended", ({ message }: { message: string }) => ended(message));
    const timer = setTimeout(() => fail(new Error(`The language server has not answered within ${START_MS / 1000} seconds.`)), START_MS);
    try {
      await Promise.race([server.client.start(), failed]);
    } catch (error) {
      server.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    started = true;
    this.server = server;
    this.preview.refresh();
  }

  private async end(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    // One that has ended may not answer.
    await server?.client.dispose(2000).catch(() => undefined);
    server?.terminate();
  }

  private ended(server: Server, reason: string): void {
    if (server !== this.server) return;
    if (++this.ends <= MOST_ENDS) return void this.restart();
    void this.stop();
    const again = "Restart";
    void vscode.window.showErrorMessage(`Platen: the language server has ended ${this.ends} times, and is not started again. ${reason}`, again)
      .then((answer) => answer === again && vscode.commands.executeCommand("platen.restart"));
  }

  private running(): BaseLanguageClient {
    if (!this.server) throw new Error("The language server is not running.");
    return this.server.client;
  }

  private async picture(uri: vscode.Uri, place: { label: number } | { position: vscode.Position }, options: object): Promise<Picture> {
    // A worker gets copies of objects, which know nothing of their classes.
    const plain = "position" in place ? { position: { line: place.position.line, character: place.position.character } } : place;
    const client = this.running();
    return ask(client, "platen.preview", { uri: client.code2ProtocolConverter.asUri(uri), ...plain, options });
  }

  private async openPdf(options: object = {}): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri ?? this.preview.shown;
    if (!uri) return;
    const { data } = await this.picture(uri, { label: 0 }, { ...options, format: "pdf" });
    const target = await vscode.window.showSaveDialog({ defaultUri: uri.with({ path: uri.path.replace(/(\.\w+)?$/, ".pdf") }), filters: { PDF: ["pdf"] } });
    if (!target) return;
    await vscode.workspace.fs.writeFile(target, Uint8Array.from(atob(data), (c) => c.charCodeAt(0)));
    if (target.scheme === "file" && vscode.env.uiKind === vscode.UIKind.Desktop) await vscode.env.openExternal(target);
  }

  // ---- a folder

  private async checkFolder(folder?: vscode.Uri): Promise<void> {
    const roots = folder ? [folder] : (vscode.workspace.workspaceFolders ?? []).map((root) => root.uri);
    const lists = await Promise.all(roots.map((root) => vscode.workspace.findFiles(new vscode.RelativePattern(root, FILES), undefined, MOST_FILES)));
    const files = lists.flat();
    this.closed.clear();
    let problems = 0;
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: "Platen: checking", cancellable: true }, async (progress, token) => {
      for (const file of files) {
        if (token.isCancellationRequested) return;
        progress.report({ increment: 100 / files.length, message: vscode.workspace.asRelativePath(file) });
        problems += await this.checkFile(file);
      }
    });
    await vscode.commands.executeCommand("workbench.actions.view.problems");
    void vscode.window.setStatusBarMessage(`Platen: ${files.length} files, ${problems} problems`, 10000);
  }

  /** How many problems it has. The server shows those of a file that is open. */
  private async checkFile(file: vscode.Uri): Promise<number> {
    if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === file.toString())) return vscode.languages.getDiagnostics(file).length;
    const bytes = await vscode.workspace.fs.readFile(file);
    if (bytes.length > MOST_BYTES) return 0;
    const client = this.running(); // a restart gives another one
    const uri = client.code2ProtocolConverter.asUri(file);
    const key = file.toString();
    this.checking.set(key, []);
    try {
      await client.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: languageOf(file.path), version: 0, text: new TextDecoder().decode(bytes) } });
      await ask(client, "platen.check", { uri });
      const found = this.checking.get(key);
      if (!found) return vscode.languages.getDiagnostics(file).length; // it was opened meanwhile
      this.closed.set(file, found);
      return found.length;
    } finally {
      // A server that has ended has no documents.
      if (this.checking.delete(key)) await client.sendNotification("textDocument/didClose", { textDocument: { uri } }).catch(() => undefined);
    }
  }
}
