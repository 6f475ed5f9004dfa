/**
 * The addresses and node ports of a service. Each is a key of the store that only one service can create, so that
 * several servers on one store never allocate the same one twice.
 *
 * Follows kubernetes pkg/registry/core/service/storage/alloc.go and its allocators. Addresses are IPAddress objects as
 * there; ports are our own keys, where upstream has one bitmap for all.
 */
import { parseIpSloppy } from "@portcullis/engine/internal/builtin/validate/addresses";
import { invalid as invalidField } from "@portcullis/engine/internal/field/error";
import { newPath } from "@portcullis/engine/internal/field/path";
import * as messages from "@portcullis/engine/internal/review/messages";
import { internalError, invalid, type StatusError } from "@portcullis/engine/internal/status/error";
import { isArray, isInteger, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { formatIp } from "@portcullis/gostd/net";

export const PORT_PREFIX = "/registry/ranges/servicenodeports/";

export interface Claim {
  readonly kind: "address" | "port" | "health check port";
  /** The address in canonical form, or the port. */
  readonly name: string;
  /** The same as the service spells it. */
  readonly text: string;
  /** The index of the port in its list. */
  readonly index: number;
}

/** Without duplicates: the first claim of each name. */
export function claimsOf(service: JsonObject): Claim[] {
  const spec = isObject(service["spec"]) ? service["spec"] : {};
  const listed = isArray(spec["clusterIPs"]) ? spec["clusterIPs"].map(textOf) : [];
  // A request may only name the first one.
  const addresses = listed.length > 0 ? listed : [textOf(spec["clusterIP"])];
  const ports = isArray(spec["ports"]) ? spec["ports"] : [];
  const all = new Map<string, Claim>();
  addresses.forEach((text, index) => {
    const name = canonicalAddress(text);
    if (text !== "" && text !== "None") all.set(name, { kind: "address", name, text, index });
  });
  ports.forEach((port, index) => {
    const name = isObject(port) ? portText(port["nodePort"]) : "";
    if (name !== "" && !all.has(name)) all.set(name, { kind: "port", name, text: name, index });
  });
  const health = portText(spec["healthCheckNodePort"]);
  if (health !== "" && !all.has(health)) {
    all.set(health, { kind: "health check port", name: health, text: health, index: 0 });
  }
  return [...all.values()];
}

/** Two spellings of an address are one address: IPv6 has many, IPv4 some where leading zeros are accepted. */
export function canonicalAddress(text: string): string {
  const ip = parseIpSloppy(text);
  return ip === undefined ? text : formatIp(ip);
}

function portText(port: JsonValue | undefined): string {
  return isInteger(port) && port !== 0 ? String(port) : "";
}

/** The error for a service that requests an unavailable address or port. */
export function refuseClaim(service: JsonObject, { kind, name, text, index }: Claim, problem: string): StatusError {
  if (kind === "health check port") return internalError(messages.healthPortFailed(name, problem));
  const spec = isObject(service["spec"]) ? service["spec"] : {};
  const field =
    kind === "address"
      ? invalidField(newPath("spec", "clusterIPs"), spec["clusterIPs"] ?? null, messages.addressFailed(text, problem))
      : invalidField(newPath("spec", "ports").index(index).child("nodePort"), Number(name), problem);
  return invalid({ group: "", kind: "Service" }, metaText(service, "name"), [field]);
}
