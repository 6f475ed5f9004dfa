/**
 * A write of the log as validating policies may have seen it. Where the log leaves something open there are several
 * possibilities, and what it does not contain is named as missing.
 */
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { objectOf } from "@portcullis/engine/internal/value/read";
import { type Alternative, asGiven, lacking, missingOf } from "./alternative.ts";
import { connectOptions } from "./connect-options.ts";
import { deletionOf, endsGracefully } from "./effects/deletion.ts";
import { type FoundOld, oldObjects, type Upcoming } from "./old-object.ts";
import { patchTypesOf } from "./patch-types.ts";
import { type PatchType, type Reconstruction, type Reviewer, reconstruct } from "./reconstruct.ts";
import type { WriteEvent } from "./write-event.ts";

/** What policies that are about the request read. */
export interface PolicyInputs {
  readonly object: boolean;
  readonly old: boolean;
  /** Mutating policies, or a new definition of the kind, take part: the request itself has to be reviewed. */
  readonly reviews: boolean;
  /** Validation by the definition of the kind counts. */
  readonly validates: boolean;
}

export interface AlternativeContext {
  readonly reviewer: Reviewer;
  readonly upcoming: Upcoming;
  readonly inputs: PolicyInputs;
}

type Result = readonly Alternative[] | Promise<readonly Alternative[]>;

export function alternativesOf(write: WriteEvent, context: AlternativeContext): Result {
  if (write.target.isConnect) return [connection(write)];
  switch (write.event.verb) {
    case "create":
      return created(write, context);
    case "delete":
      return deletions(write, context);
    default:
      return changed(write, context);
  }
}

function connection(write: WriteEvent): Alternative {
  return asGiven(write, "CONNECT", { object: connectOptions(write) });
}

const NO_REQUEST = "the event has no requestObject";

function created(write: WriteEvent, context: AlternativeContext): Result {
  const { event, target, recorded } = write;
  const { inputs } = context;
  if (!inputs.object && !inputs.reviews) return [asGiven(write, "CREATE", {})];
  const isWhole = target.subresource === "";
  if (recorded.isAccepted && isWhole && !inputs.reviews) {
    const response = objectIn(write);
    if (response !== undefined) return [asGiven(write, "CREATE", { object: unversioned(response) })];
  }
  const body = event.request?.value();
  if (!isObject(body)) return [fromAnswer(write, context) ?? lacking(write, "CREATE", { object: NO_REQUEST })];
  if (!isWhole || target.type === undefined) return [asGiven(write, "CREATE", { object: body, isExact: false })];
  return reviewed(write, context, { body: named(body, write), live: undefined });
}

/** A refusal quotes the name that was generated. */
function named(body: JsonObject, write: WriteEvent): JsonObject {
  const name = metaText(body, "name") === "" ? generatedName(write) : "";
  return name === "" ? body : withMeta(body, { name });
}

function generatedName({ event }: WriteEvent): string {
  const { response } = event;
  if (event.code >= 400) return textOf(objectOf(response?.object()?.["details"])["name"]);
  return metaText(response?.object() ?? {}, "name");
}

/** Without the request, the answer is the next best thing. */
function fromAnswer(write: WriteEvent, { inputs }: AlternativeContext): Alternative | undefined {
  const response = write.recorded.isAccepted ? objectIn(write) : undefined;
  if (response === undefined || inputs.validates) return undefined;
  return asGiven(write, "CREATE", { object: unversioned(response) });
}

function unversioned(object: JsonObject): JsonObject {
  return withMeta(object, { resourceVersion: undefined });
}

/** The object of the answer as policies saw it, if the answer has it and is not a Status. */
function objectIn({ event, target }: WriteEvent): JsonObject | undefined {
  if (target.isStoredOtherwise) return undefined;
  const object = event.response?.object();
  if (object === undefined || (object["kind"] === "Status" && object["apiVersion"] === "v1")) return undefined;
  const { kind } = target;
  return kind === undefined || object["kind"] === kind.kind ? object : undefined;
}

function deletions(write: WriteEvent, { reviewer, upcoming, inputs }: AlternativeContext): Result {
  if (!inputs.old && !endsGracefully(write)) return [asGiven(write, "DELETE", {})];
  const response = write.recorded.isAccepted ? objectIn(write) : undefined;
  return oldObjects(write, reviewer.cluster, upcoming).map((old) => deletionOf(old, write, response));
}

/** PUT and PATCH. */
function changed(write: WriteEvent, context: AlternativeContext): Result {
  const { event, recorded } = write;
  const { inputs, reviewer, upcoming } = context;
  if (event.code === 201) return created201(write, context);
  if (!inputs.object && !inputs.old && !inputs.reviews) return [asGiven(write, "UPDATE", {})];
  const response = recorded.isAccepted && !inputs.reviews ? objectIn(write) : undefined;
  if (response !== undefined && !inputs.old) return [asGiven(write, "UPDATE", { object: response })];
  const old = oldObjects(write, reviewer.cluster, upcoming);
  if (response !== undefined) return old.map((each) => withAnswer(write, each, response));
  return changedFrom(write, old, context);
}

function withAnswer(write: WriteEvent, old: FoundOld, response: JsonObject): Alternative {
  if (!("object" in old)) {
    const why = "missing" in old ? old.missing : "the log says that it did not exist";
    return asGiven(write, "UPDATE", { object: response, missing: { oldObject: why } });
  }
  const object = withMeta(response, { resourceVersion: metaText(old.object, "resourceVersion") || undefined });
  return asGiven(write, "UPDATE", { object, old: viewed(old.object, write), isExact: old.isExact });
}

/** The old object as a subresource shows it. */
function viewed(old: JsonObject, { target }: WriteEvent): JsonObject {
  return target.type?.subresources.get(target.subresource)?.view(old, "patch") ?? old;
}

/** A PUT or an apply that created the object. */
function created201(write: WriteEvent, context: AlternativeContext): Result {
  const { event, target } = write;
  const { inputs } = context;
  const response = objectIn(write);
  if (!inputs.reviews && response !== undefined) {
    return [asGiven(write, "CREATE", { object: inputs.object ? unversioned(response) : undefined })];
  }
  const body = event.request?.value();
  if (!isObject(body) || target.type === undefined) {
    return [fromAnswer(write, context) ?? lacking(write, "CREATE", { object: NO_REQUEST })];
  }
  return reviewed(write, context, { body, live: undefined, patchTypes: ["apply"] });
}

async function changedFrom(
  write: WriteEvent,
  old: readonly FoundOld[],
  context: AlternativeContext,
): Promise<readonly Alternative[]> {
  const { event, target, recorded } = write;
  const body = event.request?.value();
  const answer = recorded.isAccepted && !context.inputs.validates ? objectIn(write) : undefined;
  const found: Alternative[] = [];
  for (const each of old) {
    if (body === undefined || target.type === undefined) {
      if (answer !== undefined) found.push(withAnswer(write, each, answer));
      else found.push(lacking(write, "UPDATE", { object: NO_REQUEST, oldObject: reasonOf(each) }, each));
    } else if ("missing" in each) {
      found.push(...(answer === undefined ? withoutOld(write, body, each.missing) : [withAnswer(write, each, answer)]));
      if (mayCreate(write, body)) {
        found.push(...(await reviewed(write, context, { body, live: undefined, patchTypes: ["apply"] })));
      }
    } else {
      const patchTypes = event.verb === "patch" ? patchTypesOf(body, write) : undefined;
      const live = "object" in each ? each.object : undefined;
      const isExact = "object" in each && each.isExact;
      if (answer !== undefined && patchTypes?.includes("apply") === true && lacksOwners(live)) {
        found.push(withAnswer(write, each, answer));
        continue;
      }
      found.push(...(await reviewed(write, context, { body, live, isExact, patchTypes })));
    }
  }
  return found;
}

/** A refused apply may be about an object that does not exist; the code of an accepted one says whether it did. */
function mayCreate(write: WriteEvent, body: JsonValue): boolean {
  return !write.recorded.isAccepted && write.event.verb === "patch" && patchTypesOf(body, write).includes("apply");
}

/** Whether it is not known which fields an apply takes away. */
function lacksOwners(live: JsonObject | undefined): boolean {
  return live !== undefined && metaOf(live)["managedFields"] === undefined;
}

function reasonOf(old: FoundOld): string | undefined {
  return "missing" in old ? old.missing : undefined;
}

/** A PUT brings the whole object, but for what the server keeps of the old one. */
function withoutOld(write: WriteEvent, body: JsonValue, why: string): Alternative[] {
  if (write.event.verb === "update" && isObject(body)) {
    return [asGiven(write, "UPDATE", { object: body, isExact: false, missing: { oldObject: why } })];
  }
  return [lacking(write, "UPDATE", { object: `a patch of an object that is not known: ${why}`, oldObject: why })];
}

const NO_OWNERS = "an apply depends on managed fields, and the log does not have them";

interface ReviewParts {
  readonly body: JsonValue;
  readonly live: JsonObject | undefined;
  readonly isExact?: boolean;
  readonly patchTypes?: readonly PatchType[] | undefined;
}

async function reviewed(
  write: WriteEvent,
  { reviewer, inputs }: AlternativeContext,
  { body, live, isExact = false, patchTypes = ["merge"] }: ReviewParts,
): Promise<readonly Alternative[]> {
  const { type } = write.target;
  if (type === undefined) return [];
  const alternatives: Alternative[] = [];
  const refused: Alternative[] = [];
  for (const patchType of patchTypes) {
    if (patchType === "apply" && lacksOwners(live)) {
      alternatives.push(lacking(write, "UPDATE", { object: NO_OWNERS }));
      continue;
    }
    const result = await reconstruct({ write, type, body, live, patchType, validates: inputs.validates }, reviewer);
    const made = alternativeOf(write, result, { isExact, validates: inputs.validates });
    // A way to read the patch that makes no sense is not how it was meant, unless there is no other.
    (result.attributes === undefined && result.deniedBy.length === 0 ? refused : alternatives).push(made);
  }
  return alternatives.length > 0 ? alternatives : refused;
}

interface AlternativeOptions {
  readonly isExact: boolean;
  readonly validates: boolean;
}

function alternativeOf(
  write: WriteEvent,
  result: Reconstruction,
  { isExact, validates }: AlternativeOptions,
): Alternative {
  const { attributes, refusal, deniedBy } = result;
  const operation = write.event.verb === "create" ? "CREATE" : "UPDATE";
  if (deniedBy.length > 0 && refusal !== undefined) {
    return { ...asGiven(write, operation, {}), refusal: { error: refusal, denied: deniedBy } };
  }
  if (refusal !== undefined && validates && refusal.reason === "Invalid") {
    return { ...asGiven(write, operation, {}), refusal: { error: refusal, denied: [] } };
  }
  if (attributes === undefined) {
    return lacking(write, operation, { object: `the request cannot be reviewed again: ${refusal?.message ?? ""}` });
  }
  const isGenerated = write.event.verb === "create" && write.ref.name === "" && generatedName(write) === "";
  const name = isGenerated ? "the generated name is not in the event" : undefined;
  return { attributes, missing: missingOf({ name, managers: "the log does not have the stored object" }), isExact };
}
