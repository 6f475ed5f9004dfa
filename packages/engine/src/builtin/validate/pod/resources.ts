/** What containers, and pods as a whole, ask for. Follows validateResourceRequirements of core/validation. */
import { duplicate, type FieldError, forbidden, invalid, notFound, required } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { compareQuantities, formatQuantity, type Quantity } from "../../../value/quantity.ts";
import { containerSum } from "../../container-sums.ts";
import { has, objectOf, objectsOf, textOf } from "../../object.ts";
import { labelName } from "../checks.ts";
import {
  amountsOf,
  containerResourceName,
  isHugePages,
  isOvercommitAllowed,
  isWholePages,
  podResourceName,
  quantityOf,
  resourceAmount,
} from "../quantities.ts";
import * as messages from "./messages.ts";

type NameCheck = (name: string, path: FieldPath) => FieldError[];

/** `claims` are the names of the pod's claims. */
export function validateContainerResources(
  resources: JsonObject,
  claims: readonly string[],
  path: FieldPath,
): FieldError[] {
  return validateRequirements(resources, containerResourceName, claims, path);
}

function validateRequirements(
  resources: JsonObject,
  checkName: NameCheck,
  claims: readonly string[],
  path: FieldPath,
): FieldError[] {
  const [limits, requests] = [objectOf(resources, "limits"), objectOf(resources, "requests")];
  if (limits === undefined && requests === undefined && !has(resources, "claims")) return [];
  const names = [...Object.keys(limits ?? {}), ...Object.keys(requests ?? {})];
  const isLonely = names.some(isHugePages) && !names.some((name) => name === "cpu" || name === "memory");
  return [
    ...amountsOf(limits).flatMap(([name, amount]) => oneAmount(name, amount, checkName, path.child("limits"))),
    ...amountsOf(requests).flatMap(([name, amount]) => [
      ...oneRequest(name, amount, limits, checkName, path),
      ...wholePages(name, amount, path.child("requests").key(name)),
    ]),
    ...(isLonely ? [forbidden(path, messages.pagesAlone())] : []),
    ...claimNames(objectsOf(resources, "claims"), claims, path.child("claims")),
  ];
}

function oneAmount(name: string, amount: Quantity, checkName: NameCheck, path: FieldPath): FieldError[] {
  const at = path.key(name);
  return [...checkName(name, at), ...resourceAmount(name, amount, at), ...wholePages(name, amount, at)];
}

function oneRequest(
  name: string,
  amount: Quantity,
  limits: JsonObject | undefined,
  checkName: NameCheck,
  path: FieldPath,
): FieldError[] {
  const list = path.child("requests");
  const at = list.key(name);
  const errors = [...checkName(name, at), ...resourceAmount(name, amount, at)];
  const limit = quantityOf(limits, name);
  const isFree = isOvercommitAllowed(name);
  if (limit === undefined) {
    return isFree ? errors : [...errors, required(path.child("limits"), messages.limitNeeded())];
  }
  const order = compareQuantities(amount, limit);
  if (order === 0 || (order < 0 && isFree)) return errors;
  const detail = isFree ? messages.aboveLimit : messages.unlikeLimit;
  return [...errors, invalid(list, formatQuantity(amount), detail(name, formatQuantity(limit)))];
}

function wholePages(name: string, amount: Quantity, path: FieldPath): FieldError[] {
  if (!isHugePages(name) || isWholePages(name, amount)) return [];
  const text = formatQuantity(amount);
  return [invalid(path, text, messages.wholePages(text, name))];
}

function claimNames(used: readonly JsonObject[], claims: readonly string[], path: FieldPath): FieldError[] {
  const known = new Set(claims);
  const seen: SeenClaims = { keys: new Set(), parts: new Map(), lengths: lengthsOfWhole(used) };
  let unknown: string | undefined;
  return used.flatMap((claim, index) => {
    const at = path.index(index);
    const [name, request] = [textOf(claim, "name"), textOf(claim, "request")];
    if (name === "") return [required(at)];
    const errors = repeatedClaim(name, request, seen, at);
    if (!known.has(name)) {
      // All findings share one text: it has the names of all claims.
      unknown ??= messages.unknownClaim([...claims].sort());
      errors.push({ ...notFound(at, name), detail: unknown });
    }
    return errors;
  });
}

interface SeenClaims {
  /** Names, and names with a request. */
  readonly keys: Set<string>;
  /** How many keys begin with this name and a slash. */
  readonly parts: Map<string, number>;
  /** Names of other lengths are not counted: a wrong name may have a million slashes. */
  readonly lengths: ReadonlySet<number>;
}

function lengthsOfWhole(used: readonly JsonObject[]): ReadonlySet<number> {
  return new Set(used.flatMap((claim) => (textOf(claim, "request") === "" ? textOf(claim, "name").length : [])));
}

/** A claim as a whole and a part of it exclude one another. */
function repeatedClaim(
  name: string,
  request: string,
  { keys, parts, lengths }: SeenClaims,
  path: FieldPath,
): FieldError[] {
  if (keys.has(name)) return [duplicate(path, name)];
  const key = request === "" ? name : `${name}/${request}`;
  const errors = request === "" ? [] : labelName(request, path.child("request"));
  if (keys.has(key)) {
    errors.push(duplicate(path, key));
    return errors;
  }
  if (request === "") for (let i = parts.get(name) ?? 0; i > 0; i--) errors.push(duplicate(path, name));
  keys.add(key);
  for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1)) {
    if (!lengths.has(slash)) continue;
    const start = key.slice(0, slash);
    parts.set(start, (parts.get(start) ?? 0) + 1);
  }
  return errors;
}

export function validateOverhead(overhead: JsonObject, path: FieldPath): FieldError[] {
  return amountsOf(overhead).flatMap(([name, amount]) =>
    oneAmount(name, amount, containerResourceName, path.child("limits")),
  );
}

export function validatePodResources(spec: JsonObject, claims: readonly string[], path: FieldPath): FieldError[] {
  const resources = objectOf(spec, "resources");
  if (resources === undefined) return [];
  const at = path.child("resources");
  if (textOf(objectOf(spec, "os"), "name") === "windows") return [forbidden(at, messages.noWindowsResources())];
  return [
    ...(has(resources, "claims") ? [forbidden(at.child("claims"), messages.noPodClaims())] : []),
    ...validateRequirements(resources, podResourceName, claims, at),
    ...belowContainers(spec, resources, at),
    ...aboveContainers(spec, resources, at),
  ];
}

function belowContainers(spec: JsonObject, resources: JsonObject, path: FieldPath): FieldError[] {
  return (["requests", "limits"] as const).flatMap((key) =>
    amountsOf(objectOf(resources, key)).flatMap(([name, amount]) => {
      if (key === "limits" && !isHugePages(name)) return [];
      const sum = containerSum(spec, key, name);
      if (sum === undefined || compareQuantities(sum, amount) <= 0) return [];
      const detail = messages.belowContainers(key, formatQuantity(sum));
      return [invalid(path.child(key).key(name), formatQuantity(amount), detail)];
    }),
  );
}

/** Upstream puts the containers below the pod's resources. */
function aboveContainers(spec: JsonObject, resources: JsonObject, path: FieldPath): FieldError[] {
  const limits = objectOf(resources, "limits");
  return objectsOf(spec, "containers").flatMap((container, index) =>
    amountsOf(objectOf(objectOf(container, "resources"), "limits")).flatMap(([name, amount]) => {
      const limit = quantityOf(limits, name);
      if (limit === undefined || compareQuantities(amount, limit) <= 0) return [];
      const at = path.child("containers").index(index).key(name).child("limits");
      return [invalid(at, formatQuantity(amount), messages.abovePodLimit(formatQuantity(limit)))];
    }),
  );
}
