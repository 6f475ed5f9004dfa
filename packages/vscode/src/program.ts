/** The command line that the extension carries. */
import path from "node:path";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs with the Node.js of the editor, so that nothing has to be installed. `folder` is that of the extension. */
export function carriedProgram(folder: string, ...args: readonly string[]): Program {
  return {
    command: process.execPath,
    args: [path.join(folder, "program", "portcullis.js"), ...args],
    // Electron is an editor otherwise.
    env: { ELECTRON_RUN_AS_NODE: "1" },
  };
}
