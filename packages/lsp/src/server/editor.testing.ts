/** An editor for tests: a real client of the protocol, connected to a server in this process or another one. */
import path from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import {
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type InitializeResult,
  type Location,
  type ProtocolConnection,
  type SignatureHelp,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type LanguageServerOptions, startLanguageServer } from "../index.ts";

interface Published {
  readonly version: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** A server in this process. */
export function localServer(options: LanguageServerOptions = {}): Streams & { readonly ended: Promise<void> } {
  const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
  const ended = startLanguageServer({ input: toServer, output: fromServer }, options);
  return { input: fromServer, output: toServer, ended };
}

/** How long nothing must be published for the editor to count as settled. */
const QUIET_MS = 900;

export class TestEditor {
  readonly root: string;
  readonly #connection: ProtocolConnection;
  readonly #texts = new Map<string, TextDocument>();
  readonly #published = new Map<string, Published>();
  readonly errors: string[] = [];
  /** What the user was shown in a message. */
  readonly warnings: string[] = [];
  #lastPublish = 0;
  #isReady = false;
  #wake: (() => void)[] = [];

  constructor(root: string, { input, output }: Streams) {
    this.root = root;
    this.#connection = createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
    this.#connection.onNotification(
      "textDocument/publishDiagnostics",
      (params: Published & { readonly uri: string }) => {
        this.#published.set(params.uri, params);
        this.#lastPublish = performance.now();
        this.#wakeAll();
      },
    );
    this.#connection.onNotification("portcullis/ready", () => {
      this.#isReady = true;
      this.#wakeAll();
    });
    this.#connection.onNotification("window/logMessage", ({ message }: { readonly message: string }) => {
      this.errors.push(message);
    });
    this.#connection.onRequest("window/showMessageRequest", ({ message }: { readonly message: string }) => {
      this.warnings.push(message);
      return null;
    });
    this.#connection.onNotification("window/showMessage", ({ message }: { readonly message: string }) => {
      this.warnings.push(message);
    });
    this.#connection.listen();
  }

  async start(settings: object = {}): Promise<InitializeResult> {
    const folder = { uri: pathToFileURL(this.root).href, name: "test" };
    const params = {
      processId: process.pid,
      rootUri: folder.uri,
      workspaceFolders: [folder],
      capabilities: {},
      initializationOptions: settings,
    };
    const result = await this.#connection.sendRequest<InitializeResult>("initialize", params);
    await this.#connection.sendNotification("initialized", {});
    return result;
  }

  /** Until all files of the workspace have been read. */
  async ready(): Promise<void> {
    await this.#until(() => this.#isReady);
  }

  async stop(): Promise<void> {
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
    this.#connection.dispose();
  }

  uriOf(file: string): string {
    return file.startsWith("untitled:") ? file : pathToFileURL(path.join(this.root, file)).href;
  }

  textOf(file: string): string {
    return this.#textOf(file).getText();
  }

  #textOf(file: string): TextDocument {
    const text = this.#texts.get(this.uriOf(file));
    if (text === undefined) throw new Error(`${file} is not open`);
    return text;
  }

  async open(file: string, text: string): Promise<void> {
    const uri = this.uriOf(file);
    const languageId = file.endsWith(".json") ? "json" : "yaml";
    this.#texts.set(uri, TextDocument.create(uri, languageId, 1, text));
    await this.#connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId, version: 1, text },
    });
  }

  async close(file: string): Promise<void> {
    this.#texts.delete(this.uriOf(file));
    this.#published.delete(this.uriOf(file));
    await this.#connection.sendNotification("textDocument/didClose", { textDocument: { uri: this.uriOf(file) } });
  }

  /** Replaces the text between two offsets, as one keystroke does. */
  async edit(file: string, from: number, to: number, text: string): Promise<void> {
    const document = this.#textOf(file);
    const range = { start: document.positionAt(from), end: document.positionAt(to) };
    const version = document.version + 1;
    this.#texts.set(document.uri, TextDocument.update(document, [{ range, text }], version));
    await this.#connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: document.uri, version },
      contentChanges: [{ range, text }],
    });
  }

  /** Character by character. */
  async type(file: string, at: number, text: string): Promise<void> {
    for (const [index, character] of [...text].entries()) await this.edit(file, at + index, at + index, character);
  }

  /** Replaces the first occurrence of a text. */
  async replace(file: string, before: string, after: string): Promise<void> {
    const at = this.textOf(file).indexOf(before);
    if (at < 0) throw new Error(`${file} does not contain ${before}`);
    await this.edit(file, at, at + before.length, after);
  }

  async applyEdits(file: string, edits: readonly TextEdit[]): Promise<void> {
    const after = TextDocument.applyEdits(this.#textOf(file), [...edits]);
    await this.edit(file, 0, this.textOf(file).length, after);
  }

  /** The first diagnostics of the current text. */
  async diagnostics(file: string): Promise<readonly Diagnostic[]> {
    const uri = this.uriOf(file);
    const version = this.#textOf(file).version;
    await this.#until(() => (this.#published.get(uri)?.version ?? 0) >= version);
    return this.#published.get(uri)?.diagnostics ?? [];
  }

  /** Waits until this many diagnostics are shown: some come later, such as those of suites. */
  async shows(file: string, count: number): Promise<readonly Diagnostic[]> {
    const uri = this.uriOf(file);
    const version = this.#textOf(file).version;
    await this.#until(() => {
      const published = this.#published.get(uri);
      return (published?.version ?? 0) >= version && published?.diagnostics.length === count;
    });
    return this.diagnostics(file);
  }

  /** What the editor shows when nothing changes any more. */
  async settled(file: string): Promise<readonly Diagnostic[]> {
    await this.diagnostics(file);
    for (;;) {
      const rest = this.#lastPublish + QUIET_MS - performance.now();
      if (rest <= 0) break;
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
    return this.diagnostics(file);
  }

  request<T>(method: string, params: object): Promise<T> {
    return this.#connection.sendRequest<T>(method, params);
  }

  notify(method: string, params: object): Promise<void> {
    return this.#connection.sendNotification(method, params);
  }

  /** `find` is a text around the cursor, which is at `‸`. */
  #at(file: string, find: string): object {
    const document = this.#textOf(file);
    const at = document.getText().indexOf(find.replace("‸", ""));
    if (at < 0) throw new Error(`${file} does not contain ${find}`);
    const offset = at + Math.max(0, find.indexOf("‸"));
    return { textDocument: { uri: document.uri }, position: document.positionAt(offset) };
  }

  complete(file: string, find: string): Promise<readonly CompletionItem[]> {
    return this.request("textDocument/completion", this.#at(file, find));
  }

  async hover(file: string, find: string): Promise<string> {
    const found = await this.request<Hover | null>("textDocument/hover", this.#at(file, find));
    const contents = found?.contents;
    return typeof contents === "object" && "value" in contents ? contents.value : "";
  }

  signature(file: string, find: string): Promise<SignatureHelp | null> {
    return this.request("textDocument/signatureHelp", this.#at(file, find));
  }

  definition(file: string, find: string): Promise<Location | null> {
    return this.request("textDocument/definition", this.#at(file, find));
  }

  async rename(file: string, find: string, newName: string): Promise<readonly TextEdit[]> {
    const edit = await this.request<WorkspaceEdit>("textDocument/rename", { ...this.#at(file, find), newName });
    return edit.changes?.[this.uriOf(file)] ?? [];
  }

  lenses(file: string): Promise<readonly CodeLens[]> {
    return this.request("textDocument/codeLens", { textDocument: { uri: this.uriOf(file) } });
  }

  /** The fixes of all diagnostics. */
  async fixes(file: string): Promise<readonly CodeAction[]> {
    const diagnostics = await this.diagnostics(file);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    return this.request("textDocument/codeAction", {
      textDocument: { uri: this.uriOf(file) },
      range,
      context: { diagnostics },
    });
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  async #until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }
}
