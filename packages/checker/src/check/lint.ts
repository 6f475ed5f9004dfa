/** The API server's verdict on CRDs, at the places in the file that it is about. */
import { MemoryCluster } from "@portcullis/engine/cluster/memory-cluster";
import type { EngineOptions } from "@portcullis/engine/review/custom-resource/custom-resource";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { Checker } from "./checker.ts";

/** Checks CRDs one by one, each as an update where there is an old one of its name. */
export function crdChecker(old: readonly ManifestDocument[], engine: EngineOptions): Checker {
  return new Checker(new MemoryCluster([], { engine }), { fieldValidation: "strict", old });
}

export function lintCrd(document: ManifestDocument, engine: EngineOptions): Promise<readonly Finding[]> {
  return crdChecker([], engine).check(document);
}
