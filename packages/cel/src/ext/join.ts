/** `join` in its two versions, which differ in the error for an element that is not a string. */
import { displayText } from "../values/text.ts";
import { typeNameOf } from "../values/type-of.ts";
import { CelError, type ListValue, type Value } from "../values/value.ts";
import { invalidJoinInput, resultTooLarge } from "./messages.ts";
import { MAX_RESULT_LENGTH } from "./replace.ts";

export function joinElements(list: ListValue, separator: string): string | CelError {
  return join(list, separator, (element) => invalidJoinInput(displayText(element)));
}

/** Version 0 and 1 converted the list to Go strings first. */
export function joinNative(list: ListValue, separator: string): string | CelError {
  return join(list, separator, notConvertible);
}

function join(list: ListValue, separator: string, complain: (element: Value) => CelError): string | CelError {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (typeof element !== "string") return complain(element);
    length += element.length + separator.length;
    if (length > MAX_RESULT_LENGTH) return resultTooLarge();
    parts.push(element);
  }
  return parts.join(separator);
}

const NATIVE_MESSAGES: Readonly<Record<string, string>> = {
  int: "unsupported type conversion from 'int' to string",
  uint: "unsupported type conversion from 'uint' to string",
  double: "type conversion error from Double to 'string'",
  bool: "type conversion error from bool to 'string'",
  bytes: "type conversion error from Bytes to 'string'",
  list: "type conversion error from list to 'string'",
  map: "type conversion error from map to 'string'",
  type: "type conversion not supported for 'type'",
  null_type: "type conversion error from 'null_type' to 'string'",
  "google.protobuf.Timestamp": "type conversion error from 'Timestamp' to 'string'",
  "google.protobuf.Duration": "type conversion error from 'Duration' to 'string'",
};

function notConvertible(element: Value): CelError {
  if (element instanceof CelError) return element;
  const typeName = typeNameOf(element);
  return new CelError(NATIVE_MESSAGES[typeName] ?? `unsupported native conversion from ${typeName} to 'string'`);
}
