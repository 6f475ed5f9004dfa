/** Evaluates expressions in Kubernetes' environment and writes the answers so that tables can hold them. */
import {
  Bytes,
  CelError,
  Double,
  Duration,
  displayText,
  EntryMap,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  timestampText,
  typeNameOf,
  Uint,
  type Value,
} from "@portcullis/cel/internal";
import { encodeBase64 } from "@portcullis/gostd/base64";
import { formatDuration } from "@portcullis/gostd/duration";
import type { Structural } from "../schema/structural.ts";
import type { JsonValue } from "../value/json.ts";
import { assignTypeName, schemaDeclType } from "./decl-type.ts";
import { kubernetesEnvironment } from "./environment.ts";
import { PER_CALL_LIMIT } from "./limits.ts";
import { declTypeSizeHints, NO_SIZE_HINTS } from "./size-hints.ts";
import { schemaValue } from "./unstructured.ts";

export interface EvaluationResult {
  /** The value, `error: …` or `issues: …`. */
  readonly text: string;
  readonly cost: number;
  readonly maxEstimate: bigint;
}

export interface Self {
  readonly schema: Structural;
  readonly value: JsonValue;
}

export function evaluateExpression(expression: string, self?: Self): EvaluationResult {
  const declared = self && schemaDeclType(self.schema, { resourceRoot: false });
  const named = declared && assignTypeName(declared, "selfType");
  const environment = kubernetesEnvironment({
    version: "1.36",
    mode: "stored",
    variables: named && { self: named.type },
    declared: named && [named],
  });
  const compiled = environment.compile(expression);
  if (!compiled.ok) return { text: `issues: ${compiled.text}`, cost: 0, maxEstimate: 0n };
  const hints = declared === undefined ? NO_SIZE_HINTS : declTypeSizeHints(declared);
  const maxEstimate = environment.estimateCost(compiled.ast, hints).max;
  const made = environment.program(compiled.ast, { costLimit: PER_CALL_LIMIT });
  if (!made.ok) return { text: `program error: ${made.error.message}`, cost: 0, maxEstimate };
  const variables = self === undefined ? {} : { self: schemaValue(self.value, self.schema) };
  const { value, cost } = made.program.evaluate(variables);
  return { text: show(value), cost, maxEstimate };
}

export function show(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value !== "object") return String(value);
  if (value instanceof CelError) return `error: ${value.message}`;
  if (value instanceof OptionalValue) return value.value === undefined ? "none" : `optional(${show(value.value)})`;
  if (value instanceof ListValue) return `[${elements(value).map(show).join(", ")}]`;
  if (value instanceof MapValue) return `{${entries(value).join(", ")}}`;
  return showScalar(value);
}

function showScalar(value: Exclude<Value, null | string | number | bigint | boolean>): string {
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
  if (value instanceof Bytes) return `bytes(${encodeBase64(value.data)})`;
  if (value instanceof Duration) return formatDuration(value.nanos);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof TypeValue || value instanceof EntryMap) return displayText(value);
  return typeNameOf(value);
}

function elements(list: ListValue): Value[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

function entries(map: MapValue): string[] {
  return map.keys().map((key) => `${show(key)}: ${show(map.get(key) ?? null)}`);
}
