/** The API server, over HTTP, against what kube-apiserver answered to the same requests. */
import { surfaceCorpora } from "./surfaces/corpora.ts";
import { testSurface } from "./surfaces/run.ts";
import { ServerSurface } from "./surfaces/server-surface.ts";

// vectors.test.ts replays Pod Security on the server.
testSurface(
  new ServerSurface(),
  surfaceCorpora().filter(({ topic }) => topic !== "pod-security"),
);
