// The extension on a machine: `platen lsp` where the program is installed, otherwise the engine inside.
import * as vscode from "vscode";
import { LanguageClient, PortMessageReader, PortMessageWriter, type ServerOptions } from "vscode-languageclient/node";
import { Extension, MODULE, readInstalled } from "./extension";

interface Worker {
  postMessage(message: unknown): void;
  on(event: string, heard: (value: unknown) => void): void;
  terminate(): void;
}
declare function require(name: "node:worker_threads"): { Worker: new (file: string) => Worker };
type ChildProcess = Extract<Awaited<ReturnType<Extract<ServerOptions, (...values: never[]) => unknown>>>, { pid?: number }>;
declare function require(name: "node:child_process"): {
  execFile(file: string, args: string[], options: object, done: (error: unknown, output: string) => void): void;
  spawn(file: string, args: string[], options: object): ChildProcess;
};
const { Worker } = require("node:worker_threads");
const { execFile, spawn } = require("node:child_process");

/** The program's name, if there is one that has a language server. */
async function findProgram(): Promise<string | undefined> {
  const setting = vscode.workspace.getConfiguration("platen").get<string>("path", "");
  if (setting === "builtin") return undefined;
  const program = setting || "platen";
  const works = await new Promise<boolean>((resolve) => execFile(program, ["lsp", "--help"], { timeout: 10000, killSignal: "SIGKILL" }, (error, output) => resolve(!error && output.includes("usage: platen lsp"))));
  if (!works && setting) void vscode.window.showWarningMessage(`Platen: "${setting}" (platen.path) is no program with a language server. The engine of the extension is used.`);
  return works ? program : undefined;
}

/** Where the program looks for its settings. */
function folder(): string | undefined {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  return first?.scheme === "file" ? first.fsPath : undefined;
}

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  extension = new Extension(context, async (options, broke) => {
    const command = await findProgram();
    let worker: Worker | undefined;
    let program: ChildProcess | undefined;
    // The client ends a program only after it has answered: one that does not is ended here.
    const installed = (file: string): ServerOptions => async () => {
      program = spawn(file, ["lsp"], { cwd: folder() });
      program.on("error", (error) => broke(String(error)));
      return program;
    };
    const builtIn: ServerOptions = async () => {
      const bytes = await readInstalled(context, MODULE);
      worker = new Worker(vscode.Uri.joinPath(context.extensionUri, "dist", "server-node.js").fsPath);
      worker.on("error", (error) => broke(String(error)));
      worker.postMessage(bytes);
      return { reader: new PortMessageReader(worker as never), writer: new PortMessageWriter(worker as never) };
    };
    const client = new LanguageClient("platen", "Platen", command ? installed(command) : builtIn, options);
    const terminate = () => {
      worker?.terminate();
      program?.kill("SIGKILL");
    };
    return { client, terminate };
  });
  await extension.start();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
