// The extension where there is no node: vscode.dev, and other editors in a browser.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/browser";
import { Extension, moduleBytes } from "./extension";

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  extension = new Extension(context, async (options) => {
    const worker = new Worker(vscode.Uri.joinPath(context.extensionUri, "dist", "server-browser.js").toString(true));
    worker.postMessage(await moduleBytes(context));
    return new LanguageClient("platen", "Platen", options, worker);
  });
  await extension.start();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
