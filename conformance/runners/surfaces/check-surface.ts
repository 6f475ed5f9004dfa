/** `portcullis check` inside the process: the verdict is that of its findings, the rest what it knows of the review. */

import { policyReview } from "@portcullis/checker/internal/check/admission";
import { Checker, type CheckerOptions, type Examined } from "@portcullis/checker/internal/check/checker";
import { readFile } from "@portcullis/checker/internal/input/text";
import { policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import { isPolicyObject } from "@portcullis/checker/internal/policy/policy-objects";
import { makeUser } from "@portcullis/checker/internal/policy/user";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { FIXED_SYSTEM, MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import { DEFAULT_CONFIGURATION } from "@portcullis/engine/internal/podsecurity/configuration";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { BOOTSTRAP, type RequestCase, shownWarnings } from "../policy/request-case.ts";
import { anonymous } from "../vectors/replay.ts";
import type { Step } from "../vectors/vector.ts";
import { ENGINE } from "./engine.ts";
import { requestReason } from "./request.ts";
import { outcomeOfReview } from "./review-outcome.ts";
import { type ManifestWrite, manifestText, manifestWrites, NAMES } from "./situation.ts";
import type { Surface, SurfaceAnswer, Unanswered } from "./surface.ts";

export const checkSurface: Surface = {
  name: "surface-check",
  async answerSteps(vector) {
    const answers: (SurfaceAnswer | Unanswered)[] = [];
    for (const [index, write] of manifestWrites(vector).entries()) {
      answers.push("unanswered" in write ? write : await answerWrite(write, vector.steps[index] ?? { path: "" }));
    }
    return answers;
  },
  answerRequest,
};

/** Who sent the recorded requests. */
const ADMIN = makeUser("admin", ["system:masters"], { uid: "1" });

/** A uid as servers have them: answers that quote it are compared without it. */
const SYSTEM = { ...FIXED_SYSTEM, uid: () => "5f3ab9c2-7d1e-4c60-9a55-0b9e8d7c6f10" };

async function answerWrite(write: ManifestWrite, step: Step): Promise<SurfaceAnswer | Unanswered> {
  const document = readWritten(write);
  if ("unanswered" in document) return document;
  // The command line knows all its inputs: a namespace that is checked is there.
  const isNamespace = write.plural === "namespaces" && write.group === "";
  const checker = checkerFor(isNamespace ? [...write.there, document.object] : write.there, {
    fieldValidation: write.fieldValidation,
    old: write.old === undefined ? [] : readObject(write.old),
    user: ADMIN,
  });
  const examined = await checker.examine(document);
  if (examined === undefined) return { unanswered: "HTTP: the body is of another kind than the path" };
  const { kind, outcome, stored } = examined;
  if (kind.plural !== write.plural || kind.group !== write.group || kind.version !== write.version) {
    return { unanswered: "HTTP: the body is of another kind than the path" };
  }
  if (write.old !== undefined && !write.isVersioned && !kind.strategy.allowsUnconditionalUpdate) {
    return { unanswered: "the stored object has another version" };
  }
  const contradiction = contradictionOf(await checker.check(document), examined);
  if (contradiction !== undefined) return { message: contradiction };
  return anonymous(withoutFurtherWarnings(outcomeOfReview(outcome, stored, step), examined), NAMES);
}

/** Of an object that is refused `check` also says what Pod Security would warn about; a server ends before. */
function withoutFurtherWarnings(answer: SurfaceAnswer, { outcome }: Examined): SurfaceAnswer {
  if (outcome.refusal === undefined || answer.warnings === undefined) return answer;
  const further = outcome.admission.flatMap(({ plugin, verdict }) =>
    plugin === "PodSecurity" ? verdict.warnings : [],
  );
  return { ...answer, warnings: answer.warnings.filter((text) => !further.includes(text)) };
}

/** Where findings and review contradict each other: users see findings. */
export function contradictionOf(findings: readonly Finding[], { outcome }: Examined): string | undefined {
  const isRefused = outcome.refusal !== undefined;
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0 !== isRefused) return `findings: ${errors.map(({ message }) => message).join(", ") || "none"}`;
  const shown = new Set(findings.map(({ message }) => message));
  const missing = isRefused ? [] : outcome.warnings.filter((text) => !shown.has(text) && !isDuplicateKey(text));
  return missing.length === 0 ? undefined : `no finding shows the warning: ${missing.join(", ")}`;
}

/** In YAML such a number becomes an integer. */
const INTEGRAL_FLOAT = /[:[,]\s*-?\d+(\.0+|(\.\d+)?[eE]\+?\d+)\s*[,}\]]/;

/** These have a text of their own. */
function isDuplicateKey(text: string): boolean {
  return /^line \d+: key ".*" already set in map$/s.test(text);
}

/** The document of a write. One without a namespace is meant for that of the path. */
export function readWritten({ text, namespace }: ManifestWrite): ManifestDocument | Unanswered {
  const { documents, problems } = readFile("object.yaml", text);
  const [document] = documents;
  if (problems.length > 0 || document === undefined || documents.length > 1) {
    return { unanswered: "HTTP: the body is not one object" };
  }
  const isJson = text.trimStart().startsWith("{");
  if (isJson && document.strictErrors.length > 0)
    return { unanswered: "JSON with repeated keys: manifests are read as YAML" };
  if (isJson && INTEGRAL_FLOAT.test(text)) return { unanswered: "JSON with 1.0: manifests are read as YAML" };
  if (namespace === "" || namespace === "default" || document.id.namespace !== "") return document;
  const metadata = document.object["metadata"];
  if (typeof metadata !== "object" || metadata === null) return { unanswered: "HTTP: the namespace is in the path" };
  const object: JsonObject = { ...document.object, metadata: Object.assign({ ...metadata }, { namespace }) };
  return { ...document, object, id: { ...document.id, namespace } };
}

function checkerFor(there: readonly unknown[], options: CheckerOptions): Checker {
  const objects = there.flatMap(readObject).map(({ object }) => object);
  const podSecurity = DEFAULT_CONFIGURATION;
  if (!objects.some(isPolicyObject))
    return new Checker(new MemoryCluster(objects, { engine: ENGINE, system: SYSTEM, podSecurity }), options);
  const policies = policyCluster(objects, ENGINE, { podSecurity });
  return new Checker(policies.cluster, { ...options, policies: policyReview(policies) });
}

function readObject(object: unknown): readonly ManifestDocument[] {
  return readFile("there.yaml", manifestText(object)).documents;
}

async function answerRequest(recorded: RequestCase): Promise<SurfaceAnswer | Unanswered> {
  const reason = requestReason(recorded);
  if (reason !== undefined) return { unanswered: reason };
  const { policies, bindings, params = [], namespaces = [], definitions = [], rbac = [], request } = recorded;
  const { name, groups, uid = "", extra = {} } = request.user;
  const checker = checkerFor(
    [...policies, ...bindings, ...params, ...namespaces, ...definitions, ...rbac, ...BOOTSTRAP],
    {
      fieldValidation: "ignore",
      old: request.oldObject === undefined ? [] : readObject(request.oldObject),
      operation: request.operation === "DELETE" ? "DELETE" : undefined,
      user: { ...makeUser(name, groups, { uid }), extra: new Map(Object.entries(extra)) },
    },
  );
  const [document] = readObject(request.object ?? request.oldObject);
  const examined = document && (await checker.examine(document));
  if (examined === undefined) return { unanswered: "kinds that are not known" };
  const { refusal, warnings } = examined.outcome;
  const shown = shownWarnings(warnings);
  if (refusal === undefined) return { code: 200, warnings: shown };
  return { code: refusal.code, reason: refusal.reason, message: refusal.message, warnings: shown };
}
