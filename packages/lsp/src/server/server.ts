/** Answers the requests of an editor. */
import { fileURLToPath } from "node:url";
import { VERSION } from "@portcullis/checker/internal/output/version";
import {
  type Connection,
  DidChangeConfigurationNotification,
  type InitializeParams,
  type InitializeResult,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { complete } from "../features/completion.ts";
import { Costs } from "../features/costs.ts";
import { definition } from "../features/definition.ts";
import { codeActions } from "../features/fixes.ts";
import { hover } from "../features/hover.ts";
import type { OpenText } from "../features/open-text.ts";
import { prepareRename, rename } from "../features/rename.ts";
import { signatureHelp } from "../features/signature.ts";
import { upgradeOf } from "../features/upgrade.ts";
import { readSettings } from "../workspace/settings.ts";
import { Checks } from "./checks.ts";
import { type LibraryOptions, Workspace } from "./workspace.ts";

const SECTION = "portcullis";
const INVALID_REQUEST = -32803;

/** Starts to answer; returns what has to be called at the end. */
export function serve(connection: Connection, options: LibraryOptions): { close(): void } {
  const server = new LanguageServer(connection, options);
  server.listen();
  return server;
}

class LanguageServer {
  readonly #connection: Connection;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #workspace: Workspace;
  readonly #costs = new Costs();
  readonly #checks: Checks;
  #roots: readonly string[] = [];
  #canConfigure = false;
  #canChangeFolders = false;

  constructor(connection: Connection, { folderOf }: LibraryOptions) {
    this.#connection = connection;
    this.#workspace = new Workspace({
      folderOf,
      failed: (source, problem) => {
        const reason = problem instanceof Error ? problem.message : String(problem);
        connection.window.showWarningMessage(`Portcullis: the CRDs of ${source} are not used: ${reason}`);
      },
    });
    this.#checks = new Checks(this.#workspace, {
      publish: (uri, version, diagnostics) => {
        void connection.sendDiagnostics({ uri, version, diagnostics: [...diagnostics] });
      },
      failed: (problem) =>
        connection.console.error(problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)),
    });
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#initialized());
    connection.onDidChangeConfiguration(({ settings }) => this.#configure(settings));
    connection.onDidChangeWatchedFiles(async ({ changes }) => {
      await this.#workspace.refresh(changes.map(({ uri }) => uri));
      this.#checks.scheduleAll();
    });
    connection.onShutdown(() => this.close());
    this.#listenToDocuments();
    this.#answerRequests();
    connection.listen();
  }

  close(): void {
    this.#checks.close();
    this.#workspace.close();
  }

  #initialize({ workspaceFolders, rootUri, initializationOptions, capabilities }: InitializeParams): InitializeResult {
    const uris =
      workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null || rootUri === undefined ? [] : [rootUri]);
    this.#roots = uris.filter((uri) => uri.startsWith("file:")).map((uri) => fileURLToPath(uri));
    this.#canConfigure = capabilities.workspace?.configuration === true;
    this.#canChangeFolders = capabilities.workspace?.workspaceFolders === true;
    // Before any text is opened: what its CRDs are is not known outside of its folder.
    for (const root of this.#roots) this.#workspace.addFolder(root);
    this.#workspace.setSettings(readSettings(initializationOptions));
    return {
      serverInfo: { name: "portcullis", version: VERSION },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        completionProvider: { triggerCharacters: [".", ":", " ", '"', "("] },
        hoverProvider: true,
        signatureHelpProvider: { triggerCharacters: ["(", ","] },
        definitionProvider: true,
        codeActionProvider: { codeActionKinds: ["quickfix"] },
        codeLensProvider: {},
        renameProvider: { prepareProvider: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  async #initialized(): Promise<void> {
    if (this.#canConfigure) {
      void this.#connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION });
      await this.#configure(undefined);
    }
    if (this.#canChangeFolders) {
      this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const { uri } of removed) this.#workspace.removeFolder(fileURLToPath(uri));
        this.#scan(added.filter(({ uri }) => uri.startsWith("file:")).map(({ uri }) => fileURLToPath(uri)));
      });
    }
    this.#scan(this.#roots);
  }

  /** Texts that are open are checked at once, and again when their CRDs are known. */
  #scan(roots: readonly string[]): void {
    for (const root of roots) {
      this.#workspace.addFolder(root);
      this.#workspace.scan(root).then(
        () => {
          this.#checks.scheduleAll();
          void this.#connection.sendNotification("portcullis/ready", { root });
        },
        (problem: unknown) => this.#connection.console.error(String(problem)),
      );
    }
    // A text may have been opened before its folder.
    for (const document of this.#documents.all()) this.#workspace.open(document);
  }

  async #configure(sent: unknown): Promise<void> {
    const given: unknown = this.#canConfigure
      ? await this.#connection.workspace.getConfiguration(SECTION)
      : (sent as { readonly [SECTION]?: unknown } | null)?.[SECTION];
    if (given === undefined || given === null) return;
    const before = this.#workspace.settings;
    this.#workspace.setSettings(readSettings(given));
    if (before.crds.join() !== this.#workspace.settings.crds.join()) await this.#workspace.readLibraries();
    this.#checks.scheduleAll();
  }

  #listenToDocuments(): void {
    this.#documents.onDidOpen(({ document }) => {
      this.#workspace.open(document);
    });
    this.#documents.onDidChangeContent(({ document }) => this.#checks.schedule(document.uri));
    this.#documents.onDidSave(({ document }) => this.#checks.schedule(document.uri));
    this.#documents.onDidClose(async ({ document }) => {
      this.#checks.forget(document.uri);
      // At once: the text may be opened again before its file has been read.
      void this.#connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
      await this.#workspace.closeText(document.uri);
      this.#checks.scheduleAll();
    });
    this.#documents.listen(this.#connection);
  }

  #answerRequests(): void {
    const connection = this.#connection;
    const at = <T>(answer: (open: OpenText, position: TextDocumentPositionParams["position"]) => T) => {
      return (params: TextDocumentPositionParams): T | null => {
        const open = this.#workspace.find(params.textDocument.uri);
        return open === undefined ? null : (answer(open, params.position) ?? null);
      };
    };
    connection.onCompletion(at((open, position) => [...complete(open, position)]));
    connection.onHover(at(hover));
    connection.onSignatureHelp(at(signatureHelp));
    connection.onDefinition(at(definition));
    connection.onPrepareRename(at(prepareRename));
    connection.onRenameRequest((params) => {
      const open = this.#workspace.find(params.textDocument.uri);
      const edits = open === undefined ? "the text is not open" : rename(open, params.position, params.newName);
      if (typeof edits === "string") throw new ResponseError(INVALID_REQUEST, edits);
      return { changes: { [params.textDocument.uri]: [...edits] } };
    });
    connection.onCodeAction(async ({ textDocument, context }) => {
      const open = this.#workspace.find(textDocument.uri);
      return open === undefined ? [] : [...(await codeActions(open, context.diagnostics, this.#costs))];
    });
    connection.onCodeLens(async ({ textDocument }) => {
      const open = this.#workspace.find(textDocument.uri);
      return open === undefined ? [] : [...(await this.#costs.lenses(open))];
    });
    connection.onRequest("portcullis/costs", async ({ uri }: { readonly uri: string }) => {
      const open = this.#workspace.find(uri);
      return open === undefined ? [] : this.#costs.rows(open);
    });
    connection.onRequest("portcullis/upgrade", async ({ uri }: { readonly uri: string }) => {
      const open = this.#workspace.find(uri);
      return open === undefined ? [] : upgradeOf(open);
    });
  }
}
