/**
 * The language server: manifests, CRDs, policies and suites, checked as `portcullis check` does while they are edited.
 *
 * Everything under `internal/` may change in any release.
 */
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { serve } from "./server/server.ts";

/** What the language server needs from its surroundings to do more than read files. */
export interface LanguageServerOptions {
  /**
   * A folder with the CRDs of an entry of the setting `crds` that is not a path, such as a cluster or a URL; undefined
   * for a path.
   */
  readonly folderOf?: (source: string) => Promise<string | undefined>;
}

/**
 * Serves one editor until its connection ends.
 *
 * @example
 * ```ts
 * await startLanguageServer({ input: process.stdin, output: process.stdout });
 * ```
 */
export async function startLanguageServer(
  streams: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
  options: LanguageServerOptions = {},
): Promise<void> {
  const { input, output } = streams;
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(input),
    new StreamMessageWriter(output),
  );
  const server = serve(connection, options);
  await new Promise<void>((resolve) => {
    connection.onExit(resolve);
    input.on("end", resolve);
    input.on("close", resolve);
  });
  server.close();
}
