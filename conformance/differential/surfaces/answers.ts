/** What `check` answers to a manifest, in the form of recorded answers. */
import { Checker } from "@portcullis/checker/internal/check/checker";
import { readFile } from "@portcullis/checker/internal/input/text";
import { makeUser } from "@portcullis/checker/internal/policy/user";
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import { SERVER_VERSION } from "@portcullis/engine/internal/value/server-version";
import { contradictionOf } from "../../runners/surfaces/check-surface.ts";
import { outcomeOfReview } from "../../runners/surfaces/review-outcome.ts";
import type { Outcome } from "../../runners/vectors/vector.ts";

type Json = ReturnType<typeof JSON.parse>;

export interface Manifest {
  readonly text: string;
  readonly fieldValidation: string;
  readonly there: readonly Json[];
  readonly old: Json | undefined;
}

const ADMIN = makeUser("admin", ["system:masters"], { uid: "1" });
/** Of both, so that nothing random is in the answers. */
export const SYSTEM = {
  uid: () => "00000000-0000-4000-8000-000000000001",
  now: () => "2026-01-02T03:04:05Z",
  suffix: () => "xxxxx",
};
const MODES = { Strict: "strict", Warn: "warn", Ignore: "ignore" } as const;

export async function answerManifest({ text, fieldValidation, there, old }: Manifest): Promise<Outcome> {
  const read = (value: Json) =>
    readFile("object.yaml", typeof value === "string" ? value : JSON.stringify(value)).documents;
  const objects = there.flatMap(read).map(({ object }) => object);
  const engine = { version: SERVER_VERSION, gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } };
  const cluster = new MemoryCluster(objects, { engine, system: SYSTEM });
  const checker = new Checker(cluster, {
    fieldValidation: MODES[fieldValidation as keyof typeof MODES],
    old: old === undefined ? [] : read(old),
    user: ADMIN,
  });
  const [document] = read(text);
  const examined = document && (await checker.examine(document));
  if (examined === undefined || document === undefined) return { message: "the kind is not known" };
  const contradiction = contradictionOf(await checker.check(document), examined);
  if (contradiction !== undefined) return { message: contradiction };
  return outcomeOfReview(examined.outcome, examined.stored, { path: "" });
}

/** A server compares these with its path, its store and the classes it has; a manifest is not refused for them. */
export function isUncomparable(sent: Json, live: Json | undefined): boolean {
  const { name, namespace, resourceVersion, uid, managedFields } = sent.metadata ?? {};
  if (sent.metadata === null || typeof sent.metadata !== "object" || Array.isArray(sent.metadata)) return true;
  if (namespace !== undefined && namespace !== "default" && namespace !== "") return true;
  if (/"(priority|priorityClassName|preemptionPolicy|runtimeClassName)":/.test(JSON.stringify(sent))) return true;
  if (live === undefined) return resourceVersion !== undefined;
  const system = live.metadata;
  return (
    name !== system.name ||
    resourceVersion !== system.resourceVersion ||
    uid !== system.uid ||
    managedFields === null ||
    namespace !== system.namespace
  );
}
