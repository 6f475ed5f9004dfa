/** EndpointSlice. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, shortenedList, text } from "../../columns/column.ts";
import { type Draft, fill } from "../../defaults/draft.ts";
import { has, numberOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { validateEndpointSlice, validateEndpointSliceUpdate } from "../../validate/networking/endpoints.ts";
import { newSliceWarnings, sliceWarnings } from "../../warnings/networking.ts";
import { defineKind } from "../kind.ts";

export const endpointSlice = defineKind("discovery.k8s.io/v1", "EndpointSlice", {
  defaults: { "v1.EndpointPort": fillPort },
  metadata: { update: "whole" },
  generation: { members: ["addressType", "endpoints", "ports"], metadata: ["labels"] },
  prepareCreate: dropTopology,
  prepareUpdate: dropTopology,
  validate: validateEndpointSlice,
  validateUpdate: validateEndpointSliceUpdate,
  warnings: { create: newSliceWarnings, update: sliceWarnings },
  columns: [
    NAME,
    text("AddressType", (slice) => textOf(slice, "addressType")),
    text("Ports", portText),
    text("Endpoints", endpointText),
    AGE,
  ],
});

function fillPort(port: Draft): void {
  fill(port, "name", "");
  fill(port, "protocol", "TCP");
}

/** A field of an older version, which is read but no longer written. */
function dropTopology(draft: Draft): void {
  for (const endpoint of objectsOf(draft, "endpoints")) delete endpoint["deprecatedTopology"];
}

function portText(slice: JsonObject): string {
  const ports = objectsOf(slice, "ports").map((port) => (has(port, "port") ? String(numberOf(port, "port")) : "*"));
  return ports.join(",") || "<unset>";
}

function endpointText(slice: JsonObject): string {
  return shortenedList(objectsOf(slice, "endpoints").flatMap((each) => textsOf(each, "addresses"))) || "<unset>";
}
