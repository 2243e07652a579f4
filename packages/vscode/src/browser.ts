// The extension where there is no node: vscode.dev, and other editors in a browser.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/browser";
import { Extension, moduleBytes } from "./extension";

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  extension = new Extension(context, async (options, broke) => {
    const bytes = await moduleBytes(context);
    const worker = new Worker(vscode.Uri.joinPath(context.extensionUri, "dist", "server-browser.js").toString(true));
    worker.addEventListener("error", (event) => broke(event.message || "The script of the language server could not be loaded."));
    worker.postMessage(bytes);
    return { client: new LanguageClient("platen", "Platen", options, worker), terminate: () => worker.terminate() };
  });
  await extension.start();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
