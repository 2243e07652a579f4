// The extension where there is no node: vscode.dev, and other editors in a browser.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/browser";
import { Extension, MODULE, readInstalled } from "./extension";

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  extension = new Extension(context, async (options, broke) => {
    const bytes = await readInstalled(context, MODULE);
    // By its text: editors make no worker of the address of an extension that is installed on their server.
    const script = URL.createObjectURL(new Blob([(await readInstalled(context, "server-browser.js")) as BlobPart], { type: "text/javascript" }));
    const worker = new Worker(script);
    worker.addEventListener("error", (event) => broke(event.message || "The script of the language server could not be loaded."));
    worker.postMessage(bytes);
    const terminate = () => {
      worker.terminate();
      URL.revokeObjectURL(script);
    };
    return { client: new LanguageClient("platen", "Platen", options, worker), terminate };
  });
  await extension.start();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
