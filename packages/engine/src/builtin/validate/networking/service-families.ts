/** Whether the IP families of a service suit the cluster. Follows initIPFamilyFields of core/service/storage. */
import { type FieldError, invalid } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { isEmpty, objectOf, textOf, textsOf } from "../../object.ts";
import type { ServiceNetwork } from "../../strategies/service-network.ts";
import { isIpv6 } from "../addresses.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const POLICY = SPEC.child("ipFamilyPolicy");
const PREFER = "PreferDualStack";

export function validateFamilyChoice(
  service: JsonObject,
  old: JsonObject | undefined,
  network: ServiceNetwork,
): FieldError[] {
  const spec = objectOf(service, "spec") ?? {};
  const before = objectOf(old, "spec");
  if (keepsPreference(spec, before)) return [];
  const unfit = [...released(spec, before), ...singleStack(spec), ...impliedFamilies(spec, network)];
  return unfit.length > 0 ? unfit : configured(spec, network);
}

/** An update that leaves the families of a service with PreferDualStack alone neither adds nor removes one. */
export function keepsPreference(spec: JsonObject, before: JsonObject | undefined): boolean {
  if (before === undefined || spec["type"] !== before["type"] || spec["ipFamilyPolicy"] !== PREFER) return false;
  if ((before["ipFamilyPolicy"] ?? PREFER) !== PREFER) return false;
  return ["clusterIPs", "ipFamilies"].every((key) => isSameList(textsOf(spec, key), textsOf(before, key)));
}

export function isSameList(list: readonly string[], other: readonly string[]): boolean {
  return list.length === other.length && list.every((each, index) => each === other[index]);
}

const LISTS = [
  { key: "clusterIPs", many: "cluster IPs", one: "cluster IP" },
  { key: "ipFamilies", many: "IP families", one: "IP family" },
] as const;

/** Only the policy takes the second address or family away. */
function released(spec: JsonObject, before: JsonObject | undefined): FieldError[] {
  const policy = textOf(spec, "ipFamilyPolicy");
  if (before === undefined || policy === "SingleStack") return [];
  return LISTS.flatMap(({ key, one }) => {
    const [now, then] = [textsOf(spec, key).length, textsOf(before, key).length];
    return now > 0 && now < then ? [invalid(POLICY, policy, messages.singleStackFor(one))] : [];
  });
}

function singleStack(spec: JsonObject): FieldError[] {
  const policy = textOf(spec, "ipFamilyPolicy");
  if (policy !== "SingleStack") return [];
  return LISTS.flatMap(({ key, many }) =>
    textsOf(spec, key).length === 2 ? [invalid(POLICY, policy, messages.manyStacks(many))] : [],
  );
}

/** Families that are taken from the addresses. */
function impliedFamilies(spec: JsonObject, { ipFamilies }: ServiceNetwork): FieldError[] {
  const [ips, families] = [textsOf(spec, "clusterIPs"), textsOf(spec, "ipFamilies")];
  if (ips[0] === "None") return [];
  return ips.flatMap((ip, index) => {
    const family = isIpv6(ip) ? "IPv6" : "IPv4";
    const isKnown = index < families.length || ipFamilies.includes(family);
    return isKnown ? [] : [invalid(SPEC.child("clusterIPs").index(index), ips, messages.familyNotConfigured(family))];
  });
}

/** Headless services without a selector may ask for more than there is. */
function configured(spec: JsonObject, { ipFamilies }: ServiceNetwork): FieldError[] {
  if (textOf(spec, "clusterIP") === "None" && isEmpty(spec["selector"])) return [];
  const policy = textOf(spec, "ipFamilyPolicy");
  const isMissing = policy === "RequireDualStack" && ipFamilies.length < 2;
  return [
    ...(isMissing ? [invalid(POLICY, policy, messages.noDualStack())] : []),
    ...textsOf(spec, "ipFamilies").flatMap((family, index) =>
      ipFamilies.some((each) => each === family)
        ? []
        : [invalid(SPEC.child("ipFamilies").index(index), family, messages.notConfigured())],
    ),
  ];
}
