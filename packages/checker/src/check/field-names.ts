/** The known fields next to an unknown one. Most unknown fields are misspelt or one level too deep. */
import type { GoShape } from "@portcullis/engine/internal/field/go-shape";
import { objectMeta } from "@portcullis/engine/internal/schema/meta-shape";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import { nearest } from "../input/suggest.ts";

/** The names of the fields at a path; empty if any name is allowed or nothing is known. */
export type NamesAt = (steps: readonly Step[]) => readonly string[];
type Step = string | number;

/** The fields of a kind. */
export interface KindNames {
  readonly namesAt: NamesAt;
  /** Which Kubernetes versions have a field, in words; undefined if none does. */
  readonly versionsWith?: ((steps: readonly Step[], name: string) => string | undefined) | undefined;
}

export function unknownFieldHint(path: string, { namesAt, versionsWith }: KindNames): string | undefined {
  const steps = stepsOf(path);
  const name = steps.pop();
  if (typeof name !== "string") return undefined;
  const versions = versionsWith?.(steps, name);
  if (versions !== undefined) return `\`${name}\` exists ${versions}`;
  const near = nearest(name, namesAt(steps));
  if (near !== undefined) return `did you mean \`${near}\`?`;
  for (let length = steps.length - 1; length >= 0; length--) {
    const outer = steps.slice(0, length);
    if (typeof outer.at(-1) === "number" || !namesAt(outer).includes(name)) continue;
    return `\`${name}\` is a field of ${length === 0 ? "the object itself" : `\`${pathOf(outer)}\``}: fix the indentation`;
  }
  return undefined;
}

/** A key with dots becomes several segments that lead nowhere: then there is no hint. */
function stepsOf(path: string): Step[] {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? "") : Number(index),
  );
}

function pathOf(steps: readonly Step[]): string {
  return steps.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at === 0 ? "" : "."}${step}`)).join("");
}

export function namesInSchema(root: Structural): NamesAt {
  return (steps) => {
    if (steps[0] === "metadata") return namesInShape(objectMeta)(steps.slice(1));
    let at: Structural | undefined = root;
    for (const step of steps) {
      at = typeof step === "number" ? at?.items : (at?.properties.get(step) ?? at?.additionalProperties?.schema);
    }
    const own = at === undefined || at.preserveUnknownFields === true ? [] : [...at.properties.keys()];
    return steps.length === 0 ? [...new Set(["apiVersion", "kind", "metadata", ...own])] : own;
  };
}

export function namesInShape(root: GoShape): NamesAt {
  return (steps) => {
    let at: GoShape | undefined = root;
    for (const step of steps) at = at && shapeAt(at, step);
    return at?.kind === "struct" ? [...at.fields().keys()] : [];
  };
}

function shapeAt(shape: GoShape, step: Step): GoShape | undefined {
  if (shape.kind === "struct") return typeof step === "string" ? shape.fields().get(step)?.shape : undefined;
  if (shape.kind === "map") return typeof step === "string" ? shape.of : undefined;
  return shape.kind === "list" && typeof step === "number" ? shape.of : undefined;
}
