/** The deletion of a collection: one event for many deletions, each of which admission is asked about. */
import { matchesFields, parseFieldSelector } from "@portcullis/engine/internal/selector/fields";
import {
  type LabelSelector,
  matchesLabels,
  type Operator,
  parseLabelSelector,
  type Requirement,
} from "@portcullis/engine/internal/selector/labels";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectLabels, objectsOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { type Alternative, asGiven } from "../alternative.ts";
import type { Evaluated } from "../evaluate.ts";
import { type Known, type ObjectKey, onlyForm } from "../known-objects.ts";
import type { JsonText } from "../log/json-text.ts";
import type { Reviewer } from "../reconstruct.ts";
import type { ReplayCluster } from "../replay-cluster.ts";
import type { WriteEvent } from "../write-event.ts";
import { beganBefore, isUnderWay } from "./deletion.ts";

/** All deletions as one: refused if one is, and open if nothing says that all objects are known. */
export function collectionAlternatives(
  write: WriteEvent,
  { cluster }: Pick<Reviewer, "cluster">,
  evaluate: (alternative: Alternative) => Evaluated,
): Evaluated {
  // Pods that are ending already are deleted again without being admitted.
  const answered = answeredItems(write)?.filter((item) => !beganBefore(item, write));
  const items = answered ?? knownItems(write, cluster).filter((item) => !isUnderWay(item, write));
  const results = items.map((old) => evaluate(deletion(write, old)));
  const refused = results.find(({ error }) => error !== undefined);
  const all = (key: "denied" | "warned" | "audited"): string[] => [...new Set(results.flatMap((each) => each[key]))];
  const rest = answered === undefined ? [evaluate(deletion(write, undefined))] : [];
  const certain = refused === undefined && wasAsked(write) ? rest.find(({ error }) => error !== undefined) : undefined;
  if (certain !== undefined) return certain;
  return {
    error: refused?.error,
    isMessageKnown: results.length === 1 && refused?.isMessageKnown !== false,
    denied: all("denied"),
    refusals: results.flatMap(({ refusals }) => refusals),
    warned: all("warned"),
    audited: all("audited"),
    undecided: [...results.flatMap(({ undecided }) => undecided), ...rest.flatMap(openOnes)],
    isFresh: results.some(({ isFresh }) => isFresh),
  };
}

/** A refusal shows that there was an object to delete. */
function wasAsked({ recorded }: WriteEvent): boolean {
  return !recorded.isAccepted && recorded.refusedBy !== "before" && recorded.refusedBy !== "definition";
}

/** Of deletions that may not have been: what is open, and what would be refused. */
function openOnes({ undecided, denied }: Evaluated): Evaluated["undecided"] {
  return [...undecided, ...denied.map((policy) => ({ policy, why: NOT_NAMED, mayDeny: true }))];
}

const NOT_NAMED = "the log does not say which objects were deleted";

/** The objects of a collection are not named. */
function deletion(write: WriteEvent, old: JsonObject | undefined): Alternative {
  const missing = old === undefined ? { oldObject: NOT_NAMED } : {};
  const made = asGiven(write, "DELETE", { old, missing });
  return { ...made, attributes: { ...made.attributes, name: "" } };
}

/** With the kind that the items of a list do not have. Undefined if the answer does not show them. */
export function answeredItems({ event, recorded, target }: WriteEvent): JsonObject[] | undefined {
  const response = recorded.isAccepted ? event.response?.object() : undefined;
  if (response === undefined || !Array.isArray(response["items"])) return undefined;
  const { group, version } = target.resource;
  return objectsOf(response["items"]).map((item) =>
    item["kind"] === undefined && target.kind !== undefined
      ? withMember(
          withMember(item, "apiVersion", group === "" ? version : `${group}/${version}`),
          "kind",
          target.kind.kind,
        )
      : item,
  );
}

function knownItems(write: WriteEvent, cluster: ReplayCluster): JsonObject[] {
  const { keys, isExact } = collectionKeys(write, cluster);
  return (isExact ? keys : []).flatMap((key) => {
    const known = cluster.objects.get(key);
    const object = known?.state === "present" ? known.object.object() : undefined;
    return object === undefined ? [] : [object];
  });
}

export interface CollectionKeys {
  readonly keys: readonly ObjectKey[];
  /** Whether the selectors of the request cover all of them, as far as they are known. */
  readonly isExact: boolean;
}

/** The objects that the selectors of the request may cover, those that are not known included. */
export function collectionKeys({ target, ref, query }: WriteEvent, cluster: ReplayCluster): CollectionKeys {
  const labels = parseLabelSelector(query.get("labelSelector") ?? "");
  const fields = parseFieldSelector(query.get("fieldSelector") ?? "");
  const all = cluster.objects.keys(target.place, ref.namespace === "" ? undefined : ref.namespace);
  if (labels.error !== undefined || fields.error !== undefined) return { keys: all, isExact: false };
  const isByName = fields.value.every(({ field }) => field === "metadata.name" || field === "metadata.namespace");
  const keys = all.filter((key) => {
    const known = cluster.objects.get(key);
    if (known === undefined || known.state === "absent") return false;
    const read = (field: string): string => (field === "metadata.name" ? key.name : key.namespace);
    if (isByName && !matchesFields(fields.value, read)) return false;
    return labels.value.length === 0 || mayMatch(known, labels.value);
  });
  return { keys, isExact: isByName };
}

/** Of many objects few have the labels: their texts show that without being decoded. */
function mayMatch(known: Known, selector: LabelSelector): boolean {
  const isOnly = known.state === "present" && !known.others?.length;
  if (isOnly && selector.some((each) => lacksLabel(known.object, each))) return false;
  const object = onlyForm(known);
  return object === undefined || matchesLabels(selector, objectLabels(object));
}

/** Whatever the text looks like otherwise, it names the key and a value that is equal. */
function lacksLabel(object: JsonText, { key, operator, values: [value, ...others] }: Requirement): boolean {
  if (!NEEDS_LABEL.has(operator)) return false;
  if (!object.mentions(`${key.slice(key.indexOf("/") + 1)}"`)) return true;
  const isEqual = value !== undefined && others.length === 0 && operator !== "gt" && operator !== "lt";
  return isEqual && !object.mentions(`"${value}"`);
}

const NEEDS_LABEL: ReadonlySet<Operator> = new Set(["=", "==", "in", "exists", "gt", "lt"]);
