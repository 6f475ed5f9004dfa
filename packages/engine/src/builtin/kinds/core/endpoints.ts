/** Endpoints: the addresses of a service, before there were slices of them. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, shortenedList, text } from "../../columns/column.ts";
import { fillZero } from "../../defaults/draft.ts";
import { numberOf, objectsOf, textOf } from "../../object.ts";
import { validateEndpoints, validateEndpointsUpdate } from "../../validate/networking/endpoints.ts";
import { endpointsWarnings } from "../../warnings/networking.ts";
import { defineKind, onEveryWrite } from "../kind.ts";

export const endpoints = defineKind("v1", "Endpoints", {
  defaults: { "v1.EndpointPort": (port) => fillZero(port, "protocol", "TCP") },
  metadata: { update: "both" },
  validate: validateEndpoints,
  validateUpdate: validateEndpointsUpdate,
  warnings: onEveryWrite(endpointsWarnings),
  columns: [NAME, text("Endpoints", endpointText), AGE],
  createOnUpdate: true,
  storagePrefix: "services/endpoints",
  deprecatedSince: "1.33",
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
});

function endpointText(object: JsonObject): string {
  const all = objectsOf(object, "subsets").flatMap((subset) => {
    const ports = objectsOf(subset, "ports");
    const addresses = objectsOf(subset, "addresses").map((each) => textOf(each, "ip"));
    return ports.length === 0
      ? addresses
      : ports.flatMap((port) => addresses.map((ip) => `${ip}:${numberOf(port, "port")}`));
  });
  return shortenedList(all) || "<none>";
}
