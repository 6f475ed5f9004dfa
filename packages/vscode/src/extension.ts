/** The extension: starts the language server that it carries, and shows its views and commands. */
import path from "node:path";
import type { CostRow } from "@portcullis/lsp/internal/features/costs";
import type { UpgradeRow } from "@portcullis/lsp/internal/features/upgrade";
import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { type Playground, servePlayground } from "./playground.ts";
import { carriedProgram } from "./program.ts";
import { RowView } from "./row-view.ts";
import { costRows, upgradeRows } from "./rows.ts";

let client: LanguageClient | undefined;
let playground: Playground | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const folder = context.extensionPath;
  client = createClient(folder);
  const views = createViews(client);
  const commands: Readonly<Record<string, () => unknown>> = {
    "portcullis.runSuites": () => runSuites(folder),
    "portcullis.openPlayground": () => openPlayground(folder),
    "portcullis.showCosts": () => vscode.commands.executeCommand("portcullis.costs.focus"),
    "portcullis.restart": () => client?.restart(),
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  for (const [name, view] of Object.entries(views)) {
    context.subscriptions.push(vscode.window.registerTreeDataProvider(name, view));
  }
  const refresh = (): void => showActive(Object.values(views));
  context.subscriptions.push(
    vscode.window.onDidChangeActiveTextEditor(refresh),
    vscode.workspace.onDidSaveTextDocument(refresh),
  );
  await client.start();
  refresh();
}

export async function deactivate(): Promise<void> {
  playground?.close();
  await client?.stop();
}

function createClient(folder: string): LanguageClient {
  const { command, args, env } = carriedProgram(folder, "lsp", "--stdio");
  const executable = {
    command,
    args: [...args],
    transport: TransportKind.stdio,
    options: { env: { ...process.env, ...env } },
  };
  return new LanguageClient("portcullis", "Portcullis", executable, {
    documentSelector: [{ language: "yaml" }, { language: "json" }],
    initializationOptions: vscode.workspace.getConfiguration("portcullis"),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml,json}") },
  });
}

function createViews(server: LanguageClient): Readonly<Record<string, RowView>> {
  return {
    "portcullis.upgrade": new RowView(async (uri) =>
      upgradeRows(await server.sendRequest<readonly UpgradeRow[]>("portcullis/upgrade", { uri: uri.toString() })),
    ),
    "portcullis.costs": new RowView(async (uri) =>
      costRows(await server.sendRequest<readonly CostRow[]>("portcullis/costs", { uri: uri.toString() })),
    ),
  };
}

/** The views are about the text that is in front. */
function showActive(views: readonly RowView[]): void {
  const document = vscode.window.activeTextEditor?.document;
  const hasCrd = document?.getText().includes("CustomResourceDefinition") === true;
  void vscode.commands.executeCommand("setContext", "portcullis.hasCrd", hasCrd);
  for (const view of views) view.show(hasCrd ? document?.uri : undefined);
}

/** In a terminal, where colours, links and output stay. */
function runSuites(folder: string): void {
  for (const { uri, name } of vscode.workspace.workspaceFolders ?? []) {
    const { command, args, env } = carriedProgram(folder, "test", uri.fsPath);
    const options = { name: `Portcullis: ${name}`, shellPath: command, shellArgs: [...args], env: { ...env } };
    vscode.window.createTerminal(options).show();
  }
}

async function openPlayground(folder: string): Promise<void> {
  playground ??= await servePlayground(path.join(folder, "playground"));
  await vscode.env.openExternal(vscode.Uri.parse(playground.url));
}
