/** What `kubectl get crd` shows since 1.37. */
import { isObject, type JsonObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { type ColumnDefinition, CREATED, flag, NAME, spec, status, text } from "./column.ts";

export const CRD_COLUMNS: readonly ColumnDefinition[] = [
  NAME,
  text("Scope", (crd) => textOf(spec(crd), "scope")),
  text("Versions", servedVersions),
  CREATED,
  text("Group", (crd) => textOf(spec(crd), "group"), 1),
  text("Kind", (crd) => textOf(objectOf(spec(crd), "names"), "kind"), 1),
  text("ShortNames", (crd) => textsOf(objectOf(spec(crd), "names"), "shortNames").join(","), 1),
  { ...flag("Established", isEstablished), priority: 1 },
];

function servedVersions(crd: JsonObject): string {
  const served = objectsOf(spec(crd), "versions").filter((version) => version["served"] === true);
  const labels = served.map((version) => `${textOf(version, "name")}${version["storage"] === true ? "(storage)" : ""}`);
  return labels.sort().join(",");
}

function isEstablished(crd: JsonObject): boolean {
  return objectsOf(status(crd), "conditions").some(
    (each) => isObject(each) && each["type"] === "Established" && each["status"] === "True",
  );
}
