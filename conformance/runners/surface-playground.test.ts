/** The playground's worker against what kube-apiserver answered to the same writes, as kubectl prints it. */
import { surfaceCorpora } from "./surfaces/corpora.ts";
import { playgroundSurface } from "./surfaces/playground-surface.ts";
import { testSurface } from "./surfaces/run.ts";

testSurface(playgroundSurface, surfaceCorpora());
