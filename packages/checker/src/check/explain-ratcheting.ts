/** Explains ratcheting in a sentence: why an error was ignored and another one was not. */
import type { KeptReason } from "@portcullis/engine/internal/review/custom-resource/explain";
import type { ForgivenError } from "@portcullis/engine/internal/review/custom-resource/ratcheting-report";

export function explainForgiven({ unchanged, warned }: ForgivenError): string {
  const what = unchanged === "" ? "the object" : `\`${unchanged}\``;
  const how = warned ? "the API server warns" : "the API server does not report it";
  return `forgiven: ${what} is unchanged; ${how}`;
}

const KEPT: Readonly<Record<KeptReason, string>> = {
  changed: "not forgiven: the value changed",
  added: "not forgiven: the old object does not have this field",
  "list-not-correlatable":
    "not forgiven: items of a list without `x-kubernetes-list-type: map` cannot be matched with old ones, and the list changed",
  "item-added": "not forgiven: no old item has the same keys",
  "fields-without-schema": "not forgiven: an object with fields that no schema describes never counts as unchanged",
  "type-meta": "not forgiven: kind and apiVersion are never forgiven",
  "transition-rule": "not forgiven: the rule compares with `oldSelf`",
  "evaluation-error": "not forgiven: the rule could not be evaluated",
  "no-old-value": "not forgiven: there is no old value to compare with",
};

export function explainKept(reason: KeptReason): string {
  return KEPT[reason];
}
