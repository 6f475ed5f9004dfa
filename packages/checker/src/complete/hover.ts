/** Documentation for a place in a text: the field that a key or a value belongs to, and the words of expressions. */
import { locateInScalar } from "@portcullis/engine/internal/codec/scalar-position";
import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import type { ManifestDocument } from "../report/manifest.ts";
import { celMeaningAt } from "./cel-help.ts";
import { celScope, type Variables } from "./cel-scope.ts";
import { describeField, describeFunction } from "./describe.ts";
import type { KindName, KindViews } from "./kind-views.ts";
import { type ObjectPlace, objectPlaceAt, offsetInScalar } from "./object-place.ts";
import { type View, viewAt } from "./view.ts";

export interface HoverContext {
  readonly kinds: KindViews;
  readonly version: KubernetesVersion;
  /** The fields of kinds that `kinds` does not have. */
  readonly otherKind?: (name: KindName) => View | undefined;
}

export interface HoverText {
  /** In Markdown. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export function hoverAt(
  objects: readonly ManifestDocument[],
  offset: number,
  context: HoverContext,
): HoverText | undefined {
  const place = objectPlaceAt(objects, offset);
  if (place === undefined) return undefined;
  return (place.isKey ? undefined : hoverInScalar(place, offset, context)) ?? hoverField(place, context);
}

/** The offset is one of the expression. */
export function hoverExpression(
  text: string,
  offset: number,
  variables: Variables,
  { version }: Pick<HoverContext, "version">,
): HoverText | undefined {
  const meaning = celMeaningAt(text, offset, { version, variables });
  if (meaning === undefined) return undefined;
  const { from, to } = meaning;
  const about =
    meaning.kind === "value" ? describeField(meaning.name, meaning.view) : describeFunction(meaning.overloads);
  return { text: about, from, to };
}

function hoverField(
  { object, steps, node, isKey }: ObjectPlace,
  { kinds, otherKind }: HoverContext,
): HoverText | undefined {
  const root = kinds.find(object.id) ?? otherKind?.(object.id);
  const name = steps.findLast((step) => typeof step === "string");
  if (root === undefined || name === undefined) return undefined;
  const view = viewAt(root, steps);
  if (view === undefined) return undefined;
  const parent = viewAt(root, steps.slice(0, -1));
  const isRequired = parent?.fields().find((each) => each.name === steps.at(-1))?.isRequired === true;
  const [start, end] = isKey ? [node.keyStart, node.start] : [node.start, node.end];
  const text = describeField(String(name), view, isRequired);
  return { text, from: object.offset + start, to: object.offset + end };
}

function hoverInScalar(place: ObjectPlace, offset: number, context: HoverContext): HoverText | undefined {
  const { object, steps, node, value } = place;
  const variables = celScope({ path: steps, object: object.object }, context.kinds);
  if (variables === undefined || typeof value !== "string") return undefined;
  const found = hoverExpression(value, offsetInScalar(place, value, offset), variables, context);
  if (found === undefined) return undefined;
  const source = object.text.slice(object.offset);
  const placed = (at: number): number => object.offset + locateInScalar(source, node, value, at);
  return { text: found.text, from: placed(found.from), to: placed(found.to - 1) + 1 };
}
