/** One object of the inputs, with its position. */
import type { DuplicateKey, LineIndex, SourceNode } from "@portcullis/engine/internal/codec/position";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { ObjectId } from "./finding.ts";

export interface ManifestDocument {
  readonly file: string;
  readonly text: string;
  readonly lines: LineIndex;
  /** Where the document starts in the file. */
  readonly offset: number;
  readonly source: SourceNode | undefined;
  readonly object: JsonObject;
  /** Duplicate keys, as the API server reports them. */
  readonly strictErrors: readonly string[];
  /** The same with path and place, in one form for all formats. */
  readonly duplicates?: readonly DuplicateKey[];
  readonly id: ObjectId;
}
