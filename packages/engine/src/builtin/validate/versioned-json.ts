/** Parts of objects as declarative validation prints them: as JSON of the versioned types. */
import { GoJson } from "../../field/error.ts";
import { goJsonText } from "../../field/go-json.ts";
import { normalizeGo } from "../../field/go-normalize.ts";
import type { GoShape, GoStruct } from "../../field/go-shape.ts";
import type { JsonObject } from "../../value/json.ts";
import { shapeOf } from "../shapes.ts";
import { structOfKind } from "../types.ts";

/** Where a struct is used, such as `resource.k8s.io/v1/ResourceClaim spec.devices.requests`. */
export function versionedJson(place: string, value: JsonObject): GoJson {
  const shape = shapeAt(place);
  return new GoJson(goJsonText(normalizeGo(value, shape), shape));
}

function shapeAt(place: string): GoStruct {
  const [kind = "", path = ""] = place.split(" ");
  const type = structOfKind(...(kind.split("/") as [string, string, string]));
  let shape: GoShape | undefined = type === undefined ? undefined : shapeOf(type);
  for (const name of path.split(".")) {
    shape = shape?.kind === "struct" ? shape.fields().get(name)?.shape : undefined;
    if (shape?.kind === "list") shape = shape.of;
  }
  if (shape?.kind !== "struct") throw new Error(`there is no struct at ${place}`);
  return shape;
}
