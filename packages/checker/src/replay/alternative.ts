/** One form that a request may have had, and what of it is not known. */
import { seenAnswer, seenObject } from "@portcullis/engine/internal/admission/seen";
import type { AdmissionAttributes, Operation } from "@portcullis/engine/internal/policy/attributes";
import type { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText } from "@portcullis/engine/internal/value/metadata";
import { gvkOf } from "../policy/kinds.ts";
import { connectKind } from "./connect-options.ts";
import type { Input } from "./needs.ts";
import type { FoundOld } from "./old-object.ts";
import { optionsOf, type WriteEvent } from "./write-event.ts";

export interface Alternative {
  readonly attributes: AdmissionAttributes;
  readonly missing: ReadonlyMap<Input, string>;
  /** False if fields that the server sets are not those of the cluster. */
  readonly isExact: boolean;
  /** Whether it has no effect, so that no policy is asked. */
  readonly isNotAdmitted?: boolean;
  /** Why the request does not come as far as validating policies. */
  readonly refusal?: { readonly error: StatusError; readonly denied: readonly string[] } | undefined;
}

interface GivenParts {
  readonly object?: JsonObject | undefined;
  readonly old?: JsonObject | undefined;
  /** Whether the objects are as the API server answered with them; true by default. */
  readonly isExact?: boolean;
  readonly missing?: Partial<Record<Input, string | undefined>>;
}

/** The objects are used as they are. */
export function asGiven(write: WriteEvent, operation: Operation, parts: GivenParts): Alternative {
  const { event, ref, target, isDryRun } = write;
  const { type, subresource, resource } = target;
  const endpoint = type && { type, subresource: type.subresources.get(subresource) };
  const { isExact = true } = parts;
  const look = isExact ? seenAnswer : seenObject;
  const seen = (object: JsonObject | undefined): JsonObject | undefined =>
    endpoint === undefined ? object : look(object, endpoint, "validating");
  const isNamespace = resource.group === "" && resource.resource === "namespaces";
  const name = ref.name || (parts.object === undefined ? "" : metaText(parts.object, "name"));
  const attributes: AdmissionAttributes = {
    operation,
    resource,
    subresource,
    kind: operation === "CONNECT" ? connectKind(write) : kindOf(write, parts.object ?? parts.old),
    name,
    namespace: isNamespace ? name : ref.namespace,
    object: seen(parts.object),
    oldObject: seen(parts.old),
    options: optionsOf(write, operation),
    dryRun: isDryRun,
    userInfo: event.user,
  };
  return { attributes, missing: missingOf(parts.missing ?? {}), isExact };
}

function kindOf({ target }: WriteEvent, object: JsonObject | undefined): AdmissionAttributes["kind"] {
  if (target.kind !== undefined) return target.kind;
  const { group, version } = target.resource;
  return object === undefined ? { group, version, kind: "" } : gvkOf(object);
}

export function lacking(
  write: WriteEvent,
  operation: Operation,
  missing: Partial<Record<Input, string | undefined>>,
  old?: FoundOld,
): Alternative {
  return asGiven(write, operation, { missing, ...(old !== undefined && "object" in old && { old: old.object }) });
}

export function missingOf(missing: Partial<Record<Input, string | undefined>>): ReadonlyMap<Input, string> {
  const found = new Map<Input, string>();
  for (const input of ["object", "oldObject", "name", "managers"] as const) {
    const why = missing[input];
    if (why !== undefined) found.set(input, why);
  }
  return found;
}

/** The server tracks every object; an audit policy may leave that out of the log. */
export function lacksManagers(object: JsonObject | undefined): boolean {
  return object !== undefined && object["kind"] !== "Scale" && metaOf(object)["managedFields"] === undefined;
}
