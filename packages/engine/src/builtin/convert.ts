/** Kinds that are served in two forms and stored in one, the hub. Each kind gives its own conversion. Both forms are in memory. */
import type { JsonObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";
import { type Kind, normalize } from "./decode.ts";
import type { HubConversion } from "./kinds/kind.ts";

export function toHub(object: JsonObject, hub: HubConversion | undefined): JsonObject {
  return hub === undefined ? object : normalize(withKind(hub.toHub(object), hub.kind), hub.kind, true);
}

export function fromHub(stored: JsonObject, kind: Kind, hub: HubConversion | undefined): JsonObject {
  return hub === undefined ? stored : normalize(withKind(hub.fromHub(stored), kind), kind, true);
}

function withKind(object: JsonObject, { group, version, kind }: Kind): JsonObject {
  return withMember(withMember(object, "kind", kind), "apiVersion", group === "" ? version : `${group}/${version}`);
}
