/** `portcullis check` against what kube-apiserver answered to the same writes. */
import { checkSurface } from "./surfaces/check-surface.ts";
import { surfaceCorpora } from "./surfaces/corpora.ts";
import { testSurface } from "./surfaces/run.ts";

testSurface(checkSurface, surfaceCorpora());
