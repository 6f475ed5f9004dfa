/** What a strategic merge patch has to know of Go types. */
import * as messages from "./messages.ts";

export interface PatchType {
  /** Go's kind: `struct`, `map`, `slice`, `ptr`, or that of a scalar. */
  readonly kind: string;
  /** The bare name of a struct. */
  readonly name: string;
  /** What a pointer, list or map holds. */
  readonly element: PatchType | undefined;
  /** A field of a struct by its JSON name, in any case. */
  readonly field: (name: string) => PatchField | undefined;
}

export interface PatchField {
  readonly type: PatchType;
  readonly strategies: readonly string[];
  readonly mergeKey: string;
}

export interface PatchMeta {
  readonly type: PatchType;
  /** Without `retainKeys`, which only clients ask about. */
  readonly strategy: string;
  readonly mergeKey: string;
}

type Fail = (message: string) => Error;

export function memberMeta(type: PatchType, name: string, fail: Fail): PatchMeta {
  const struct = type.kind === "ptr" ? (type.element ?? type) : type;
  if (struct.kind !== "struct") throw fail(messages.notAStruct(struct.kind));
  const field = struct.field(name);
  if (field === undefined) throw fail(messages.noField(struct.name, name));
  const strategy = field.strategies.find((each) => each !== "retainKeys") ?? "";
  return { type: field.type, strategy, mergeKey: field.mergeKey };
}

export function itemMeta(type: PatchType, name: string, fail: Fail): PatchMeta {
  const meta = memberMeta(type, name, fail);
  const { kind, element } = meta.type;
  if (kind === "ptr" && element !== undefined) return { ...meta, type: element };
  if (kind !== "slice" || element === undefined) throw fail(messages.notASlice(type.kind));
  if (element.kind === "slice") throw fail(messages.sliceOfSlices());
  return { ...meta, type: element };
}
