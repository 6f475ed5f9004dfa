/**
 * The steps of a vector for surfaces that have no store: what there is when a step is sent, and the step as a manifest
 * with its old object.
 *
 * What a step left behind is taken from its recorded answer; the answers of setup steps are not recorded, so their bodies
 * count.
 */
import { applyMergePatch } from "@portcullis/engine/internal/patch/merge-patch";
import { parseExactly } from "../vectors/normal.ts";
import { type Names, withNames } from "../vectors/replay.ts";
import type { Outcome, Step, Vector } from "../vectors/vector.ts";
import type { Unanswered } from "./surface.ts";

type Json = ReturnType<typeof JSON.parse>;

/** One write of a whole object, as a file that a user checks. */
export interface ManifestWrite {
  readonly verb: "create" | "update";
  /** JSON or YAML, as it was sent. */
  readonly text: string;
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly fieldValidation: "strict" | "warn" | "ignore";
  /** Everything that is there before the write, the old object not among it. */
  readonly there: readonly Json[];
  readonly old: Json | undefined;
  /** Whether the request names the version that is stored. */
  readonly isVersioned: boolean;
}

export const NAMES: Names = {
  group: "g000000vector.example.com",
  short: "n000000vector",
  captured: {},
  webhook: undefined,
};

/** The objects by their paths; undefined for those whose content is not known. */
type There = Map<string, Json | undefined>;

/** Each step as a write, or why it is none. */
export function manifestWrites(vector: Vector): readonly (ManifestWrite | Unanswered)[] {
  const there: There = new Map();
  for (const step of vector.setup ?? []) keep(there, prepared(step), undefined);
  return vector.steps.map((each, index) => {
    const step = prepared(each);
    const wanted: Outcome = withNames(vector.expect[index] ?? {}, NAMES);
    const write = manifestWrite(step, there, JSON.stringify(each).includes("{{rv}}"));
    if ((wanted.code ?? 0) < 300) keep(there, step, wanted);
    return write;
  });
}

/** An object as the text of a file. Numbers that a double cannot carry are kept by their spelling. */
export function manifestText(object: unknown): string {
  return JSON.stringify(object).replace(/"number:(-?[^"]+)"/g, "$1");
}

function prepared(step: Step): Step {
  return JSON.parse(JSON.stringify(withNames(step, NAMES)).replaceAll("{{rv}}", ""));
}

function manifestWrite(step: Step, there: There, isVersioned: boolean): ManifestWrite | Unanswered {
  const { method = "GET", contentType = "application/json" } = step;
  const reason = METHOD_REASONS[method];
  if (reason !== undefined) return { unanswered: reason };
  if (step.as !== undefined) return { unanswered: "authorization" };
  if (step.pick?.some((pointer) => pointer.includes("managedFields"))) return { unanswered: "managed fields" };
  if (!/^application\/(json|yaml)$/i.test(contentType)) return { unanswered: "HTTP: media types and headers" };
  const target = readTarget(step);
  if (target === undefined) return { unanswered: "HTTP: options and paths of the request" };
  if (target.subresource) return { unanswered: "subresources: a manifest is a whole object" };
  const text = bodyText(step);
  const body = tryParse(text);
  if (/json$/i.test(contentType) && (!isJson(text) || /:\s*-?1e400/.test(text))) {
    return { unanswered: "malformed JSON: manifests are read as YAML" };
  }
  return bodyReason(step, target, body) ?? placeWrite(step, there, { target, text, isVersioned });
}

/** What a server refuses because of the path, or of the version that it has stored, is not about the manifest. */
function bodyReason({ method, raw }: Step, { path, namespace }: Target, body: Json): Unanswered | undefined {
  const { name, namespace: own, resourceVersion, uid } = body?.metadata ?? {};
  if (raw === undefined && (body?.kind === undefined || body.apiVersion === undefined)) {
    return { unanswered: "HTTP: the body does not name its kind" };
  }
  const isElsewhere = typeof own === "string" && own !== "" && namespace !== "" && own !== namespace;
  const isRenamed = method === "PUT" && body !== undefined && name !== path.split("/").at(-1);
  if (isElsewhere || isRenamed) return { unanswered: "HTTP: the path has another name or namespace than the body" };
  const isVersioned = resourceVersion !== undefined && resourceVersion !== "";
  if (isVersioned || uid) return { unanswered: "the stored object has another version" };
  return undefined;
}

const METHOD_REASONS: Readonly<Record<string, string>> = {
  GET: "reads",
  DELETE: "deletes",
  PATCH: "patches and server-side apply: a manifest is a whole object",
};

interface Target {
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string;
  readonly subresource: boolean;
  readonly fieldValidation: ManifestWrite["fieldValidation"];
}

const PATH = /^\/api(?:s\/([^/]+))?\/([^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(\/.*)?$/;
const MODES: Readonly<Record<string, ManifestWrite["fieldValidation"]>> = {
  Strict: "strict",
  Warn: "warn",
  Ignore: "ignore",
};

function readTarget({ path: target, query, method }: Step): Target | undefined {
  const [path = "", search = ""] = target.split("?");
  const options = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(search)), ...query });
  const unusual = [...options.keys()].some((key) => key !== "fieldManager" && key !== "fieldValidation");
  const fieldValidation = MODES[options.get("fieldValidation") ?? "Warn"];
  const [, group = "", version, namespace = "", plural, name, subresource] = PATH.exec(path) ?? [];
  if (unusual || search.split("&").length > 1 || fieldValidation === undefined) return undefined;
  if (version === undefined || plural === undefined || (method === "POST" && name !== undefined)) return undefined;
  return { path, group, version, plural, namespace, subresource: subresource !== undefined, fieldValidation };
}

function bodyText({ raw, body }: Step): string {
  const text = raw ?? JSON.stringify(body ?? null);
  return text.replace(/\{\{pad:(\d+)\}\}/g, (_, count) => "x".repeat(Number(count)));
}

interface Sent {
  readonly target: Target;
  readonly text: string;
  readonly isVersioned: boolean;
}

function placeWrite(step: Step, there: There, { target, text, isVersioned }: Sent): ManifestWrite | Unanswered {
  const { path, subresource: _, ...place } = target;
  const verb = step.method === "PUT" ? "update" : "create";
  const old = verb === "update" ? there.get(path) : undefined;
  if (verb === "update" && old === undefined) {
    return { unanswered: there.has(path) ? "the old object is not recorded" : "the object to update does not exist" };
  }
  const name = tryParse(text)?.metadata?.name;
  if (verb === "create" && name !== undefined && there.has(`${path}/${name}`)) {
    return { unanswered: "the object to create exists" };
  }
  const others = [...there].filter(([key, object]) => key !== path && object !== undefined).map(([, object]) => object);
  return { ...place, verb, text, there: others, old, isVersioned };
}

/** Dry runs leave nothing behind. */
function keep(there: There, step: Step, answer: Outcome | undefined): void {
  const { method = "GET", query } = step;
  const [path = "", search = ""] = step.path.split("?");
  if (query?.["dryRun"] !== undefined || search.includes("dryRun=") || step.until !== undefined) return;
  if (method === "DELETE") there.delete(path);
  if (method === "GET" || method === "DELETE") return;
  const known = answer?.object !== undefined && step.pick === undefined && step.text !== true;
  const left = known ? answer.object : bodyLeft(step, there.get(path));
  const name = left?.metadata?.name;
  if (method === "POST" && name === undefined) return;
  const key = method === "POST" ? `${path}/${name}` : path;
  const parent = /^(.*)\/(status|scale)$/.exec(key)?.[1];
  if (parent !== undefined && there.has(parent)) there.set(parent, key.endsWith("/status") ? left : undefined);
  else there.set(key, left && placed(path, left));
}

function bodyLeft(step: Step, old: Json | undefined): Json | undefined {
  const { method, contentType = "", body } = step;
  const value = body ?? tryParse(step.raw ?? "");
  if (method !== "PATCH" || (contentType.includes("apply") && old === undefined)) return value;
  if (old === undefined || !contentType.includes("merge-patch") || contentType.includes("strategic")) return undefined;
  const text = applyMergePatch(JSON.stringify(old), JSON.stringify(value));
  return text === undefined ? undefined : JSON.parse(text);
}

/** The namespace of an object is in its path. */
function placed(path: string, object: Json): Json {
  const namespace = /\/namespaces\/([^/]+)\/[a-z]/.exec(path)?.[1];
  return namespace === undefined ? object : { ...object, metadata: { namespace, ...object.metadata } };
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

function tryParse(text: string): Json {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
