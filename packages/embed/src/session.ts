/** Checks texts against a cluster that is made of CRDs and policies. Loaded by the worker with the first text. */
import { DEFAULT_ASSUMPTIONS, underAssumptions } from "@portcullis/checker/internal/check/assumptions";
import { checkText } from "@portcullis/checker/internal/check/check-text";
import { Checker, type PolicyReview } from "@portcullis/checker/internal/check/checker";
import { isDefinition, mayDefine } from "@portcullis/checker/internal/check/definition";
import { readFile } from "@portcullis/checker/internal/input/text";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import { LineIndex } from "@portcullis/engine/internal/codec/position";
import { KUBERNETES_VERSIONS, SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import { DEFAULT_CONFIGURATION } from "@portcullis/engine/internal/podsecurity/configuration";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { engineGates } from "@portcullis/engine/internal/review/custom-resource/engine-gates";
import type { EmbeddedFinding } from "./finding.ts";
import type { Context } from "./messages.ts";

interface Cluster {
  readonly cluster: MemoryCluster;
  readonly policies: PolicyReview | undefined;
}

export class Session {
  readonly engine: EngineOptions;
  readonly crds: readonly ManifestDocument[];
  readonly #policies: readonly ManifestDocument[];
  #cluster: Cluster | undefined;

  constructor({ crds, policies, kubeVersion }: Context) {
    const version = KUBERNETES_VERSIONS.find((each) => each === kubeVersion) ?? SERVER_VERSION;
    this.engine = { version, gates: engineGates(new Map(), version) };
    this.crds = readFile("crds.yaml", crds).documents;
    this.#policies = readFile("policies.yaml", policies).documents;
  }

  async check(text: string, old: string): Promise<readonly EmbeddedFinding[]> {
    const { cluster, policies } = await this.#clusterFor(text);
    const checker = new Checker(cluster, {
      fieldValidation: "strict",
      version: this.engine.version,
      old: readFile("old.yaml", old).documents,
      policies,
    });
    const input = { file: "manifest.yaml", isNamed: true };
    const { findings } = await checkText(input, text, async (document) =>
      underAssumptions(await checker.check(document), document, { ...DEFAULT_ASSUMPTIONS, isNamed: true }),
    );
    const lines = new LineIndex(text);
    return findings.filter(({ suppressed }) => suppressed === undefined).map((each) => toEmbedded(each, lines));
  }

  /** CRDs in the text count for its other objects. */
  async #clusterFor(text: string): Promise<Cluster> {
    const own = mayDefine(text) ? readFile("manifest.yaml", text).documents.filter(isDefinition) : [];
    if (own.length > 0) return this.#makeCluster(own);
    this.#cluster ??= await this.#makeCluster([]);
    return this.#cluster;
  }

  async #makeCluster(own: readonly ManifestDocument[]): Promise<Cluster> {
    const others = [...this.crds, ...own];
    const options = { podSecurity: DEFAULT_CONFIGURATION };
    if (this.#policies.length === 0) {
      const objects = others.map(({ object }) => object);
      return { cluster: new MemoryCluster(objects, { engine: this.engine, ...options }), policies: undefined };
    }
    const { buildAdmission, policyReview } = await import("@portcullis/checker/internal/check/admission");
    const admission = await buildAdmission(this.#policies, others, [this.engine], options);
    const made = admission.clusterFor(this.engine);
    return { cluster: made.cluster, policies: policyReview(made) };
  }
}

function toEmbedded({ rule, severity, message, hint = "", path, range }: Finding, lines: LineIndex): EmbeddedFinding {
  const { start, end } = range ?? { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
  return {
    rule,
    severity,
    message,
    hint,
    path,
    from: lines.startOf(start.line) + start.column - 1,
    to: lines.startOf(end.line) + end.column - 1,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}
