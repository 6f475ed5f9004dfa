/** Nodes. Follows ValidateNode of core/validation. */
import { byteLength, compareStrings } from "@portcullis/gostd/utf8";
import {
  duplicate,
  type FieldError,
  forbidden,
  GoJson,
  internalError,
  invalid,
  notSupported,
  required,
} from "../../../field/error.ts";
import { checkLabelValue } from "../../../field/names.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { isInteger, type JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { canonicalJson } from "../../../value/text.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { isIpv6, legacyCidr, parseCidrSloppy } from "../addresses.ts";
import { labelName, qualifiedName, subdomain } from "../checks.ts";
import { configKey } from "../config-key.ts";
import * as shared from "../messages.ts";
import { EFFECTS } from "../pod/scheduling.ts";
import { amountsOf, resourceAmount } from "../quantities.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
/** Upstream thinks taints are metadata. */
const TAINTS = newPath("metadata", "taints");

export function validateNode(node: JsonObject): FieldError[] {
  return [...taints(node), ...amounts(node), ...swap(node), ...declaredFeatures(node), ...podCidrs(node)];
}

function taints(node: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return objectsOf(objectOf(node, "spec"), "taints").flatMap((taint, index) => {
    const path = TAINTS.index(index);
    const [key, value, effect] = [textOf(taint, "key"), textOf(taint, "value"), textOf(taint, "effect")];
    const identity = `${effect} ${key}`;
    const problems = checkLabelValue(value);
    const isRepeated = seen.has(identity);
    seen.add(identity);
    return [
      ...qualifiedName(key, path.child("key")),
      ...(problems.length === 0 ? [] : [invalid(path.child("value"), value, problems.join(";"))]),
      ...taintEffect(effect, path.child("effect")),
      ...(isRepeated
        ? [{ ...duplicate(path, internalJson("core.Taint", taint)), detail: messages.uniqueTaints() }]
        : []),
    ];
  });
}

function taintEffect(effect: string, path: FieldPath): FieldError[] {
  if (effect === "") return [required(path)];
  return EFFECTS.includes(effect) ? [] : [notSupported(path, effect, EFFECTS)];
}

function amounts(node: JsonObject): FieldError[] {
  const status = objectOf(node, "status");
  return ["capacity", "allocatable"].flatMap((key) =>
    amountsOf(objectOf(status, key)).flatMap(([name, quantity]) =>
      resourceAmount(name, quantity, newPath("status", key, name)),
    ),
  );
}

/** Upstream names the place of the capacity wrongly. */
function swap(node: JsonObject): FieldError[] {
  const info = objectOf(objectOf(objectOf(node, "status"), "nodeInfo"), "swap");
  const capacity = info?.["capacity"];
  if (!isInteger(capacity) || capacity > 0) return [];
  return [invalid(newPath("metadata", "nodeSwapStatus", "capacity"), capacity, shared.aboveZero())];
}

function declaredFeatures(node: JsonObject): FieldError[] {
  const features = textsOf(objectOf(node, "status"), "declaredFeatures");
  const path = newPath("status", "declaredFeatures");
  return features.flatMap((feature, index) => {
    const problem = featureProblem(feature);
    const next = features[index + 1];
    return [
      ...(problem === undefined ? [] : [invalid(path.index(index), feature, problem)]),
      ...(next === feature ? [duplicate(path.index(index + 1), next)] : []),
      ...(next !== undefined && compareStrings(feature, next) > 0
        ? [invalid(path.index(index + 1), next, messages.sortedFeatures())]
        : []),
    ];
  });
}

const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const MAX_FEATURE_LENGTH = 253;

function featureProblem(name: string): string | undefined {
  if (byteLength(name) > MAX_FEATURE_LENGTH) return messages.longFeature(name, MAX_FEATURE_LENGTH);
  return FEATURE.test(name) ? undefined : messages.illFormedFeature(name);
}

function podCidrs(node: JsonObject): FieldError[] {
  const cidrs = textsOf(objectOf(node, "spec"), "podCIDRs");
  const path = SPEC.child("podCIDRs");
  const errors = cidrs.flatMap((cidr, index) => legacyCidr(cidr, path.index(index)));
  if (cidrs.length < 2) return errors;
  const broken = cidrs.findIndex((cidr) => parseCidrSloppy(cidr) === undefined);
  if (broken >= 0) errors.push(internalError(path, messages.brokenPodCidr(broken, cidrs[broken] ?? "")));
  const isDual = new Set(cidrs.map((cidr) => isIpv6(cidr.split("/", 1)[0] ?? ""))).size === 2;
  if (broken >= 0 || !isDual || cidrs.length > 2) errors.push(invalid(path, cidrs, messages.onePodCidr()));
  return errors;
}

export function validateNodeUpdate(node: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(node, "spec"), objectOf(old, "spec")];
  const source = objectOf(spec, "configSource");
  const isOther = textOf(spec, "externalID") !== textOf(before, "externalID");
  return [
    ...amounts(node),
    ...declaredFeatures(node),
    ...repeatedAddresses(node),
    ...keptCidrs(textsOf(spec, "podCIDRs"), textsOf(before, "podCIDRs")),
    ...keptProvider(textOf(spec, "providerID"), textOf(before, "providerID")),
    ...(source === undefined ? [] : configSource(source, SPEC.child("configSource"))),
    ...taints(node),
    ...(isOther ? [forbidden(SPEC.child("externalID"), messages.notUpdated())] : []),
  ];
}

function repeatedAddresses(node: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return objectsOf(objectOf(node, "status"), "addresses").flatMap((each, index) => {
    const [type, address] = [textOf(each, "type"), textOf(each, "address")];
    const key = `${type} ${address}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    const [shownType, shownAddress] = [canonicalJson(type), canonicalJson(address)];
    const shown = new GoJson(
      since("1.34")
        ? `{"Type":${shownType},"Address":${shownAddress}}`
        : `core.NodeAddress{Type:${shownType}, Address:${shownAddress}}`,
    );
    return isRepeated ? [duplicate(newPath("status", "addresses").index(index), shown)] : [];
  });
}

function keptCidrs(cidrs: readonly string[], old: readonly string[]): FieldError[] {
  if (old.length === 0) return [];
  const wrong = forbidden(SPEC.child("podCIDRs"), messages.keptOnceSet("podCIDR"));
  if (cidrs.length !== old.length) return [wrong];
  return old.filter((cidr, index) => cidr !== cidrs[index]).map(() => wrong);
}

function keptProvider(id: string, old: string): FieldError[] {
  if (old === "" || id === old) return [];
  const path = SPEC.child("providerID");
  if (!since("1.37")) return [forbidden(path, messages.keptOnceSet("providerID"))];
  return [invalid(path, null, id === "" ? messages.notCleared() : messages.notModified())];
}

function configSource(source: JsonObject, path: FieldPath): FieldError[] {
  const reference = objectOf(source, "configMap");
  if (reference === undefined) {
    return [invalid(path, internalJson("core.NodeConfigSource", source), messages.oneReference())];
  }
  const at = path.child("configMap");
  const [namespace, name, key] = [
    textOf(reference, "namespace"),
    textOf(reference, "name"),
    textOf(reference, "kubeletConfigKey"),
  ];
  return [
    ...["uid", "resourceVersion"]
      .filter((each) => has(reference, each))
      .map((each) => forbidden(at.child(each), messages.notInSpec(each))),
    ...(namespace === ""
      ? [required(at.child("namespace"), messages.mustBeSet("namespace"))]
      : labelName(namespace, at.child("namespace"))),
    ...(name === "" ? [required(at.child("name"), messages.mustBeSet("name"))] : subdomain(name, at.child("name"))),
    ...(key === ""
      ? [required(at.child("kubeletConfigKey"), messages.mustBeSet("kubeletConfigKey"))]
      : configKey(key, at.child("kubeletConfigKey"))),
  ];
}
