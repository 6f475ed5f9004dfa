/** The API server, over HTTP, against what kube-apiserver answered to the same requests. */
import { surfaceCorpora } from "./surfaces/corpora.ts";
import { testSurface } from "./surfaces/run.ts";
import { ServerSurface } from "./surfaces/server-surface.ts";

testSurface(new ServerSurface(), surfaceCorpora());
