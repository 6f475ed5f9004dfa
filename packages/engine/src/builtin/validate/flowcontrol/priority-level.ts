/** How much a class of requests may take. Follows pkg/apis/flowcontrol/validation. */

import { type FieldError, forbidden, GoJson, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { fromPlain } from "../../../value/copy.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { canonicalJson } from "../../../value/text.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, metaOf, numberOf, objectOf, textOf } from "../../object.ts";
import * as shared from "../messages.ts";
import * as messages from "./messages.ts";
import { validateFlowStatus } from "./status.ts";

const SPEC = newPath("spec");
const EXEMPT = "exempt";
/** Kept a zero through a version that would have replaced it; objects of version 1 have no need of it. */
const OLD_ANNOTATION = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

export function validatePriorityLevel(level: JsonObject): FieldError[] {
  const spec = objectOf(level, "spec") ?? {};
  const name = textOf(metaOf(level), "name");
  const isOld = has(objectOf(metaOf(level), "annotations"), OLD_ANNOTATION);
  return [
    ...(isOld ? [forbidden(newPath("metadata", "annotations"), messages.oldAnnotation(OLD_ANNOTATION))] : []),
    ...validateSpec(spec, name),
    ...validateFixed(spec, name),
    ...validateFlowStatus(level),
  ];
}

function validateSpec(spec: JsonObject, name: string): FieldError[] {
  const type = textOf(spec, "type");
  const isOdd = (name === EXEMPT) !== (type === "Exempt");
  const errors = isOdd ? [invalid(SPEC.child("type"), named(type), messages.exemptAlone())] : [];
  if (type === "Exempt") return [...errors, ...validateExempt(spec)];
  if (type === "Limited") return [...errors, ...validateLimited(spec)];
  return [...errors, unknownType(type, ["Exempt", "Limited"], SPEC), ...declaredMembers(spec)];
}

/** Since 1.37 what belongs to another type is refused for an unknown type too. */
function declaredMembers(spec: JsonObject): FieldError[] {
  if (!since("1.37")) return [];
  const limited = objectOf(spec, "limited");
  return [
    ...(has(spec, "exempt") ? [forbidden(SPEC.child("exempt"), messages.noExempt())] : []),
    ...(limited === undefined
      ? []
      : [forbidden(SPEC.child("limited"), messages.noLimited()), ...declaredResponse(limited)]),
  ];
}

/** What declarative validation finds in a response although its level is not limited. */
function declaredResponse(limited: JsonObject): FieldError[] {
  if (!since("1.37")) return [];
  const response = objectOf(limited, "limitResponse") ?? {};
  const path = SPEC.child("limited", "limitResponse");
  const type = textOf(response, "type");
  const hasQueuing = has(response, "queuing");
  return [
    ...(hasQueuing && type !== "Queue" ? [forbidden(path.child("queuing"), messages.noQueuing())] : []),
    ...(!hasQueuing && type === "Queue" ? [required(path.child("queuing"), messages.needQueuing())] : []),
    ...(type === "" ? [required(path.child("type"), messages.needType())] : []),
  ];
}

/** Named string types, which Go shows as JSON. */
function named(text: string): GoJson {
  return new GoJson(canonicalJson(text));
}

function unknownType(type: string, supported: readonly string[], path: FieldPath): FieldError {
  return type === "" && since("1.36")
    ? required(path.child("type"), messages.needType())
    : notSupported(path.child("type"), named(type), supported);
}

function validateExempt(spec: JsonObject): FieldError[] {
  const exempt = objectOf(spec, "exempt") ?? {};
  const path = SPEC.child("exempt");
  const limited = objectOf(spec, "limited");
  return [
    ...(limited === undefined
      ? []
      : [forbidden(SPEC.child("limited"), messages.noLimited()), ...declaredResponse(limited)]),
    ...shares(exempt, path),
    ...lendable(exempt, path),
  ];
}

function shares(level: JsonObject, path: FieldPath): FieldError[] {
  const count = numberOf(level, "nominalConcurrencyShares");
  return count < 0 ? [invalid(path.child("nominalConcurrencyShares"), count, messages.wholeNumber())] : [];
}

function lendable(level: JsonObject, path: FieldPath): FieldError[] {
  const percent = numberOf(level, "lendablePercent");
  const isPercent = percent >= 0 && percent <= 100;
  return isPercent ? [] : [invalid(path.child("lendablePercent"), percent, shared.between(0, 100))];
}

function validateLimited(spec: JsonObject): FieldError[] {
  const isExempt = has(spec, "exempt");
  const errors = isExempt ? [forbidden(SPEC.child("exempt"), messages.noExempt())] : [];
  const limited = objectOf(spec, "limited");
  const path = SPEC.child("limited");
  if (limited === undefined) return [...errors, required(path, messages.needLimited())];
  const borrowing = numberOf(limited, "borrowingLimitPercent");
  return [
    ...errors,
    ...shares(limited, path),
    ...validateResponse(objectOf(limited, "limitResponse") ?? {}, path.child("limitResponse")),
    ...lendable(limited, path),
    ...(borrowing < 0 ? [invalid(path.child("borrowingLimitPercent"), borrowing, messages.wholeNumberIfSet())] : []),
  ];
}

function validateResponse(response: JsonObject, path: FieldPath): FieldError[] {
  const queuing = objectOf(response, "queuing");
  const at = path.child("queuing");
  switch (textOf(response, "type")) {
    case "Reject":
      return queuing === undefined ? [] : [forbidden(at, messages.noQueuing())];
    case "Queue":
      return queuing === undefined ? [required(at, messages.needQueuing())] : validateQueuing(queuing, at);
    default:
      return [unknownType(textOf(response, "type"), ["Queue", "Reject"], path)];
  }
}

const MAX_QUEUES = 10_000_000;

function validateQueuing(queuing: JsonObject, path: FieldPath): FieldError[] {
  const [limit, queues] = [numberOf(queuing, "queueLengthLimit"), numberOf(queuing, "queues")];
  const errors = limit <= 0 ? [invalid(path.child("queueLengthLimit"), limit, messages.positive())] : [];
  if (queues <= 0) errors.push(invalid(path.child("queues"), queues, messages.positive()));
  else if (queues > MAX_QUEUES) errors.push(invalid(path.child("queues"), queues, messages.notAbove(MAX_QUEUES)));
  const hand = numberOf(queuing, "handSize");
  const problem = handProblem(queues, hand);
  return problem === undefined ? errors : [...errors, invalid(path.child("handSize"), hand, problem)];
}

const MAX_HASH_BITS = 60;

/** A hand is dealt from one hash, whose bits must suffice. */
function handProblem(queues: number, hand: number): string | undefined {
  if (hand <= 0) return messages.positive();
  if (hand > queues) return messages.largeHand(queues);
  const bits = Math.ceil(Math.log2(queues) * hand);
  return bits > MAX_HASH_BITS ? messages.entropy(queues, hand, MAX_HASH_BITS) : undefined;
}

const CATCH_ALL = {
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0 },
};

/** The levels that no server is without; of one the shares may be changed. */
function validateFixed(spec: JsonObject, name: string): FieldError[] {
  const shown = (): GoJson => internalJson("flowcontrol.PriorityLevelConfigurationSpec", spec);
  if (name === EXEMPT) {
    const isKept = textOf(spec, "type") === "Exempt" && !has(spec, "limited");
    return isKept ? [] : [invalid(SPEC, shown(), messages.fixedButExempt(name))];
  }
  const isKept = name !== "catch-all" || semanticEqual(spec, fromPlain(CATCH_ALL));
  return isKept ? [] : [invalid(SPEC, shown(), messages.fixedSpec(name))];
}
