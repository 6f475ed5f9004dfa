/** The types of the data file as shapes that JSON is decoded into. */
import { type GoField, type GoShape, type GoStruct, goStruct } from "../field/go-shape.ts";
import { specialShape } from "./special.ts";
import { pointee, type StructField, type StructType, structAt, type TypeExpr } from "./types.ts";

const shapes = new Map<StructType, GoStruct>();

export function shapeOf(type: StructType): GoStruct {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const shape = goStruct(type.go, () => Object.fromEntries(namedFields(type, [])));
  shapes.set(type, shape);
  return shape;
}

function namedFields({ fields }: StructType, embedded: readonly string[]): [string, GoField][] {
  return fields.flatMap((field): [string, GoField][] => {
    const type = pointee(field.type);
    if (!field.isInline || type.kind !== "struct") {
      return [[field.name, { ...fieldOf(field), embedded }]];
    }
    const inlined = structAt(type.index);
    return namedFields(inlined, [...embedded, bareName(inlined)]);
  });
}

function bareName({ go }: StructType): string {
  return go.slice(go.lastIndexOf(".") + 1);
}

function fieldOf({ type, omitEmpty, omitZero }: StructField): GoField {
  const shape = shapeOfExpr(pointee(type));
  const isPointer = type.kind === "pointer";
  // Go never finds a struct empty: only omitzero leaves one out.
  const isStruct = type.kind === "struct" || type.kind === "special";
  return { shape, isPointer, omitEmpty: isStruct ? omitZero : omitEmpty };
}

function shapeOfExpr(type: TypeExpr): GoShape {
  switch (type.kind) {
    case "struct":
      return shapeOf(structAt(type.index));
    case "pointer":
      return shapeOfExpr(type.to);
    case "list":
      return { kind: "list", go: type.go, of: shapeOfExpr(type.of) };
    case "map":
      return { kind: "map", go: type.go, of: shapeOfExpr(type.of) };
    case "special":
      return specialShape(type.go);
    case "int32":
      return { kind: "int", go: type.go, bits: 32 };
    case "int64":
      return { kind: "int", go: type.go, bits: 64 };
    default:
      return { kind: type.kind, go: type.go };
  }
}
