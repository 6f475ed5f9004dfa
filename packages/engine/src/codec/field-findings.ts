/**
 * Unknown and duplicate fields in one form for JSON and YAML.
 *
 * The decoders of the API server report them differently: `line 26: key "image" already set in map` for YAML, `duplicate
 * field "spec.image"` for JSON. What is sent to clients stays as it is; here both have a path, a line and a column.
 */
import { fieldPath } from "./field-path.ts";
import type { Decoded } from "./json.ts";
import { duplicateField } from "./messages.ts";
import { type LineIndex, locatePath } from "./position.ts";

/** One field of a text that should not be there. */
export interface FieldFinding {
  readonly kind: "unknown" | "duplicate";
  /** `unknown field "spec.pausd"` or `duplicate field "spec.image"`, whatever the format. */
  readonly message: string;
  readonly path: string;
  /** From 1; undefined if there is no text. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** A document, and where it starts in the text that `lines` are of; nothing for an object without a text. */
export interface PlacedDocument {
  readonly document?: Pick<Decoded, "duplicates" | "source">;
  readonly offset?: number;
  readonly lines?: LineIndex;
}

/** `unknown` are the API server's messages about unknown fields. In the order of the text. */
export function alignFindings(
  { document = {}, offset = 0, lines }: PlacedDocument,
  unknown: readonly string[],
): FieldFinding[] {
  const at = (place: number | undefined) =>
    place === undefined || lines === undefined ? { line: undefined, column: undefined } : lines.locate(offset + place);
  const { duplicates = [], source } = document;
  const found = [
    ...duplicates.map(({ path, offset: place }) => ({ ...duplicate(path), ...at(place) })),
    ...unknown.map((message) => {
      const path = fieldPath(message);
      const node = source && locatePath(source, path);
      return {
        kind: "unknown" as const,
        message,
        path,
        ...at(node && (node.keyStart < 0 ? node.start : node.keyStart)),
      };
    }),
  ];
  return found.sort((one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0));
}

function duplicate(path: string): Pick<FieldFinding, "kind" | "message" | "path"> {
  return { kind: "duplicate", message: duplicateField(path), path };
}
