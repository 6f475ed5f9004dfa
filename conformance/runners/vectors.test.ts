/**
 * The server inside the process against the answers of a real one. `VECTORS=FOLDER npx vitest run conformance/runners/vectors`
 * takes other files of the same form as corpora/vectors, gzipped or not.
 */
import { surfaceCorpora, vectorCorpora } from "./surfaces/corpora.ts";
import { testSurface } from "./surfaces/run.ts";
import { ServerSurface } from "./surfaces/server-surface.ts";

const folder = process.env["VECTORS"];

testSurface(new ServerSurface(), folder === undefined ? surfaceCorpora() : vectorCorpora(folder), {
  isPartial: folder !== undefined,
});
