/**
 * A stand-in for the module `vscode` of an editor: enough for the packed extension to start its server, open one text
 * and show diagnostics. What the client library only touches is an object that answers everything.
 */
const { pathToFileURL, fileURLToPath } = require("node:url");

const host = {
  commands: new Map(),
  views: new Map(),
  diagnostics: new Map(),
  listeners: [],
  opened: [],
  terminals: [],
  contexts: {},
};

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(start, startCharacter, end, endCharacter) {
    const isPlain = typeof start === "number";
    this.start = isPlain ? new Position(start, startCharacter) : start;
    this.end = isPlain ? new Position(end, endCharacter) : startCharacter;
  }
}
class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.slice(0, text.indexOf(":"));
    this.fsPath = this.scheme === "file" ? fileURLToPath(text) : text;
    this.path = this.fsPath;
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(file) {
    return new Uri(pathToFileURL(file).href);
  }
  toString() {
    return this.text;
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class EventEmitter {
  #listeners = [];
  event = (listener) => {
    this.#listeners.push(listener);
    return disposable();
  };
  fire(value) {
    for (const listener of this.#listeners) listener(value);
  }
  dispose() {}
}
class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => disposable() };
  cancel() {}
  dispose() {}
}

function disposable() {
  return { dispose() {} };
}

/** Answers every call and has every field; a class can extend it. */
function anything(name) {
  const base = class {};
  return new Proxy(base, {
    get(target, key) {
      if (key === "prototype" || key === Symbol.hasInstance || key in target) return Reflect.get(target, key);
      if (typeof key === "symbol" || key === "then") return undefined;
      if (/^on[A-Z]/.test(key)) return () => disposable();
      target[key] = anything(`${name}.${key}`);
      return target[key];
    },
    apply: () => disposable(),
  });
}

function withFields(name, fields) {
  const rest = anything(name);
  return new Proxy(fields, { get: (target, key) => (key in target ? target[key] : rest[key]) });
}

const event = () => disposable();
const vscode = {
  Position,
  Range,
  Uri,
  Diagnostic,
  EventEmitter,
  CancellationTokenSource,
  TreeItem: class {
    constructor(label) {
      this.label = label;
    }
  },
  ThemeIcon: class {
    constructor(id) {
      this.id = id;
    }
  },
  Disposable: class {
    constructor(dispose) {
      this.dispose = dispose;
    }
    static from() {
      return disposable();
    }
  },
  version: "1.140.0",
  env: withFields("env", {
    openExternal: async (uri) => host.opened.push(String(uri)),
    language: "en",
    appName: "test",
  }),
  commands: withFields("commands", {
    registerCommand: (name, run) => {
      host.commands.set(name, run);
      return disposable();
    },
    executeCommand: async (name, ...args) => {
      if (name === "setContext") host.contexts[args[0]] = args[1];
    },
  }),
  languages: withFields("languages", {
    match: () => 10,
    createDiagnosticCollection: () => ({
      set: (uri, list) => {
        host.diagnostics.set(String(uri), list);
        for (const listener of host.listeners) listener();
      },
      delete: (uri) => host.diagnostics.delete(String(uri)),
      clear() {},
      dispose() {},
    }),
  }),
  window: withFields("window", {
    registerTreeDataProvider: (name, provider) => {
      host.views.set(name, provider);
      return disposable();
    },
    createOutputChannel: () => ({
      append() {},
      appendLine() {},
      info() {},
      error() {},
      warn() {},
      debug() {},
      trace() {},
      show() {},
      dispose() {},
      onDidChangeLogLevel: event,
    }),
    createTerminal: (options) => {
      host.terminals.push(options);
      return { show() {} };
    },
    tabGroups: { all: [], onDidChangeTabs: event, onDidChangeTabGroups: event },
    visibleTextEditors: [],
    onDidChangeActiveTextEditor: event,
    onDidChangeVisibleTextEditors: event,
  }),
  workspace: withFields("workspace", {
    textDocuments: [],
    notebookDocuments: [],
    workspaceFolders: undefined,
    getConfiguration: () => ({ get: () => undefined, has: () => false }),
    createFileSystemWatcher: () => ({ onDidCreate: event, onDidChange: event, onDidDelete: event, dispose() {} }),
    getWorkspaceFolder: () => undefined,
    onDidOpenTextDocument: event,
    onDidSaveTextDocument: event,
  }),
};
const rest = anything("vscode");
module.exports = new Proxy(vscode, {
  get: (target, key) => (key === "host" ? host : key in target ? target[key] : rest[key]),
});
