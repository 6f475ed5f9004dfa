/** ComponentStatus: read only, computed by the server. */
import type { JsonObject } from "../../../value/json.ts";
import { NAME, text } from "../../columns/column.ts";
import { objectsOf, textOf } from "../../object.ts";
import { defineKind } from "../kind.ts";

export const componentStatus = defineKind("v1", "ComponentStatus", {
  columns: [
    NAME,
    text("Status", healthText),
    text("Message", (component) => textOf(healthCondition(component), "message")),
    text("Error", (component) => textOf(healthCondition(component), "error")),
  ],
  deprecation: "v1 ComponentStatus is deprecated in v1.19+",
});

function healthCondition(component: JsonObject): JsonObject | undefined {
  return objectsOf(component, "conditions").find((condition) => condition["type"] === "Healthy");
}

function healthText(component: JsonObject): string {
  const status = textOf(healthCondition(component), "status");
  return status === "True" ? "Healthy" : status === "False" ? "Unhealthy" : "Unknown";
}
