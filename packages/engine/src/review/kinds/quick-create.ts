/**
 * A short cut for new objects of built-in kinds: whether one passes without any error or warning. Whatever is unusual is
 * left to the review; a property test holds both together.
 */
import type { BuiltinResource } from "../../builtin/builtin.ts";
import { isArray, isObject, type JsonValue } from "../../value/json.ts";
import type { ResourceKind } from "../kind.ts";
import type { SystemFields } from "../system.ts";
import { prepareContext, type ServiceAddressAllocator } from "./service-addresses.ts";

type Draft = Record<string, JsonValue>;

const MAX_GENERATED_BASE = 58;

export function quickCreate(
  resource: BuiltinResource,
  addresses: ServiceAddressAllocator | undefined,
): NonNullable<ResourceKind["passesCreate"]> {
  return (manifest, namespace, system) => {
    if (manifest["status"] !== undefined || !hasPlainMeta(manifest["metadata"])) return false;
    const complete = (meta: Draft): void => completeMeta(meta, resource.namespaced ? namespace : "", system);
    let isQuiet = true;
    const warn = (): void => {
      isQuiet = false;
    };
    return resource.passesCreate(manifest, complete, prepareContext({ system, warn }, addresses)) && isQuiet;
  };
}

/** Equal owner references are warned about, and a name is generated only where there is none. */
function hasPlainMeta(meta: JsonValue | undefined): boolean {
  if (!isObject(meta)) return false;
  const owners = meta["ownerReferences"];
  return meta["managedFields"] === undefined && !(isArray(owners) && owners.length > 1);
}

const SERVER_SET = ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];

function completeMeta(meta: Draft, namespace: string, system: SystemFields): void {
  for (const field of SERVER_SET) delete meta[field];
  meta["uid"] = system.uid();
  meta["creationTimestamp"] = system.now();
  if (namespace === "") delete meta["namespace"];
  else meta["namespace"] = namespace;
  const { name, generateName } = meta;
  const isNameless = name === undefined || name === "";
  if (isNameless && typeof generateName === "string" && generateName !== "") {
    meta["name"] = generateName.slice(0, MAX_GENERATED_BASE) + system.suffix();
  }
}
