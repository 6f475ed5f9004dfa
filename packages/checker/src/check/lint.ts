/** Validates CRDs as the API server does and reports each finding at its place in the file. */
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { ManifestDocument } from "../report/manifest.ts";
import { Checker } from "./checker.ts";

/** Checks CRDs one by one, as an update if an old CRD has the same name. */
export function crdChecker(old: readonly ManifestDocument[], engine: EngineOptions): Checker {
  return new Checker(new MemoryCluster([], { engine }), { fieldValidation: "strict", old });
}
