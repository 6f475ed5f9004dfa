/** The SubjectAccessReview that a webhook is asked with, as upstream writes it. */
import { field, type GoStruct, goBool, goRaw, goString, goStruct } from "@portcullis/engine/internal/field/go-shape";
import type { Attributes, SelectorRequirement } from "@portcullis/engine/internal/review/authorizer";
import { parseFieldSelector } from "@portcullis/engine/internal/selector/fields";
import { type Operator, parseLabelSelector } from "@portcullis/engine/internal/selector/labels";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { since } from "@portcullis/engine/internal/value/server-version";
import type { ReviewKind } from "@portcullis/engine/internal/webhooks/answer";
import { compareStrings } from "@portcullis/gostd/utf8";
import type { ReviewVersion } from "./modes.ts";

const GROUP = "authorization.k8s.io";
const KIND = "SubjectAccessReview";

/** The members that Go writes: empty ones are absent, and versions name groups differently. */
export function encodeAccessReview(attributes: Attributes, version: ReviewVersion): string {
  const { user } = attributes;
  const groups = user.groups.length === 0 ? undefined : [...user.groups];
  const spec = objectOf({
    resourceAttributes: attributes.isResource ? resourceAttributes(attributes) : undefined,
    nonResourceAttributes: attributes.isResource ? undefined : texts({ path: attributes.path, verb: attributes.verb }),
    user: user.name || undefined,
    [version === "v1" ? "groups" : "group"]: groups,
    extra: user.extra.size === 0 ? undefined : extraOf(attributes),
    uid: user.uid || undefined,
  });
  const metadata = since("1.34") ? {} : { creationTimestamp: null };
  const review = { kind: KIND, apiVersion: `${GROUP}/${version}`, metadata, spec, status: { allowed: false } };
  return `${JSON.stringify(review)}\n`;
}

function resourceAttributes(attributes: Attributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const hasSelectors = isEnabled("AuthorizeWithSelectors");
  return objectOf({
    ...texts({ namespace, verb, group, version, resource, subresource, name }),
    fieldSelector: hasSelectors ? selectorOf(fieldRequirements(attributes)) : undefined,
    labelSelector: hasSelectors ? selectorOf(labelRequirements(attributes)) : undefined,
  });
}

/** All fields, as expressions see them: empty texts are there. */
export function conditionInput(attributes: Attributes): JsonObject {
  const { user, isResource, path, verb } = attributes;
  const { namespace, group, version, resource, subresource, name } = attributes;
  return objectOf({
    user: user.name,
    uid: user.uid,
    groups: [...user.groups],
    extra: extraOf(attributes),
    resourceAttributes: isResource
      ? objectOf({
          namespace,
          verb,
          group,
          version,
          resource,
          subresource,
          name,
          fieldSelector: selectorOf(fieldRequirements(attributes)),
          labelSelector: selectorOf(labelRequirements(attributes)),
        })
      : undefined,
    nonResourceAttributes: isResource ? undefined : objectOf({ verb, path }),
  });
}

function texts(values: Readonly<Record<string, string>>): JsonObject {
  return objectOf(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value || undefined])));
}

function extraOf({ user: { extra } }: Attributes): JsonObject {
  return objectOf(
    Object.fromEntries([...extra].sort(([a], [b]) => compareStrings(a, b)).map(([key, values]) => [key, [...values]])),
  );
}

function selectorOf(requirements: readonly SelectorRequirement[]): JsonValue | undefined {
  if (requirements.length === 0) return undefined;
  const written = requirements.map(({ key, operator, values }) =>
    objectOf({ key, operator, values: values.length === 0 ? undefined : [...values] }),
  );
  return objectOf({ requirements: written });
}

function fieldRequirements({
  fieldRequirements: given,
  fieldSelector = "",
}: Attributes): readonly SelectorRequirement[] {
  if (given !== undefined) return given;
  const { value = [] } = parseFieldSelector(fieldSelector);
  return value.map(({ field: key, value: text, negated }) => ({
    key,
    operator: negated ? "NotIn" : "In",
    values: [text],
  }));
}

const OPERATORS: Readonly<Partial<Record<Operator, string>>> = {
  "=": "In",
  "==": "In",
  in: "In",
  "!=": "NotIn",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

/** Requirements that a review cannot express are left out: the question is broader then. */
function labelRequirements({
  labelRequirements: given,
  labelSelector = "",
}: Attributes): readonly SelectorRequirement[] {
  if (given !== undefined) return given;
  const { value = [] } = parseLabelSelector(labelSelector);
  return value.flatMap(({ key, operator, values }) => {
    const name = OPERATORS[operator];
    return name === undefined ? [] : [{ key, operator: name, values }];
  });
}

function reviewKind(version: ReviewVersion): ReviewKind {
  const status = goStruct(`${version}.SubjectAccessReviewStatus`, () => ({
    allowed: field(goBool),
    denied: field(goBool),
    reason: field(goString),
    evaluationError: field(goString),
  }));
  const shape: GoStruct = goStruct(`${version}.${KIND}`, () => ({
    kind: field(goString),
    apiVersion: field(goString),
    spec: field(goRaw),
    status: field(status),
  }));
  return { group: GROUP, kind: KIND, version, shape, knowsKinds: true };
}

export const ACCESS_REVIEWS: Readonly<Record<ReviewVersion, ReviewKind>> = {
  v1: reviewKind("v1"),
  v1beta1: reviewKind("v1beta1"),
};
