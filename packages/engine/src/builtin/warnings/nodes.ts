/** Labels of nodes that have other names now. Follows pkg/api/node/util.go. */
import { checkLabelValue } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { hasKey, type JsonObject, sortedKeys } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { has, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { cidrWarnings } from "../validate/addresses.ts";
import * as messages from "./messages.ts";

const { about } = messages;

/** What to use instead; undefined for labels that are fine. */
export function oldLabelOf(key: string): string | undefined {
  return hasKey(messages.OLD_NODE_LABELS, key) ? messages.OLD_NODE_LABELS[key] : undefined;
}

export function nodeTermWarnings(term: JsonObject, path: FieldPath, checksValues: boolean): string[] {
  return objectsOf(term, "matchExpressions").flatMap((expression, index) => {
    const at = path.child("matchExpressions").index(index);
    const values = checksValues && since("1.33") ? textsOf(expression, "values") : [];
    return [
      ...oldKeyWarnings(textOf(expression, "key"), at.child("key")),
      ...values.flatMap((value, place) =>
        checkLabelValue(value).map((problem) =>
          about(at.child("values").index(place), messages.badValue(value, problem)),
        ),
      ),
    ];
  });
}

function oldKeyWarnings(key: string, path: FieldPath): string[] {
  const advice = oldLabelOf(key);
  return advice === undefined ? [] : [about(path, messages.oldKey(key, advice))];
}

export function nodeSelectorWarnings(selector: JsonObject | undefined, path: FieldPath): string[] {
  return [
    ...objectsOf(selector, "matchExpressions").flatMap((expression, index) =>
      oldKeyWarnings(textOf(expression, "key"), path.child("matchExpressions").index(index).child("key")),
    ),
    ...sortedKeys(objectOf(selector, "matchLabels") ?? {}).flatMap((key) => {
      const advice = oldLabelOf(key);
      return advice === undefined ? [] : [about(path.child("matchLabels", key), advice)];
    }),
  ];
}

export function runtimeClassWarnings(runtimeClass: JsonObject): string[] {
  const selector = objectOf(objectOf(runtimeClass, "scheduling"), "nodeSelector") ?? {};
  return sortedKeys(selector).flatMap((key) => {
    const advice = oldLabelOf(key);
    return advice === undefined ? [] : [about(newPath("scheduling", "nodeSelector"), advice)];
  });
}

export function nodeWarnings(node: JsonObject): string[] {
  const spec = objectOf(node, "spec");
  return [
    ...(has(spec, "configSource") ? [messages.configSource()] : []),
    ...(textOf(spec, "externalID") === "" ? [] : [messages.externalId()]),
    ...textsOf(spec, "podCIDRs").flatMap((cidr, index) => cidrWarnings(cidr, newPath("spec", "podCIDRs").index(index))),
  ];
}
