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

/**
 * Serves one editor until its connection ends.
 *
 * @example
 * ```ts
 * await startLanguageServer({ input: process.stdin, output: process.stdout });
 * ```
 */
export async function startLanguageServer(streams: {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}): Promise<void> {
  const { input, output } = streams;
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(input),
    new StreamMessageWriter(output),
  );
  const server = serve(connection);
  await new Promise<void>((resolve) => {
    connection.onExit(resolve);
    input.on("end", resolve);
    input.on("close", resolve);
  });
  server.close();
}
