/**
 * A document of version 2 as protobuf: the messages of gnostic's `openapi.v2`, which clients in Go read faster than JSON.
 *
 * Each message is a line of fields, `name=number:type`, ordered by number. The default type is text; `*` marks a list,
 * `{X}` an object whose members are X by name, `x-` all extensions. For a message that is one of several types,
 * `CHOICES` selects the type. gnostic encodes arbitrary values as YAML; the JSON here is YAML too.
 */
import { WireWriter } from "../builtin/protobuf/writer.ts";
import { isArray, isNumber, isObject, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { asBigInt, asFloat } from "../value/number.ts";
import { canonicalJson } from "../value/text.ts";

/** `contents` are members that are encoded already: entries one after the other, in place of those of the document. */
export function openApiV2Protobuf(
  document: JsonObject,
  contents: ReadonlyMap<string, Uint8Array> = new Map(),
): Uint8Array {
  const writer = new WireWriter();
  for (const { name, number, type } of layoutOf("Document")) {
    const content = contents.get(name);
    const value = document[name];
    if (content !== undefined) writer.writeBytes(number, content);
    else if (name === "x-") writeEntries(writer, number, "any", extensionsOf(document));
    else if (value !== undefined) writeField(writer, number, type, value);
  }
  return writer.finish();
}

/** Members of a document that may be encoded entry by entry. */
export type EntryMember = keyof typeof ENTRIES;

const ENTRIES = {
  paths: [2, "PathItem"],
  definitions: [1, "Schema"],
  parameters: [1, "Parameter"],
} as const;

/** One path, schema or parameter. */
export function writeOpenApiV2Entry(writer: WireWriter, member: EntryMember, name: string, value: JsonValue): void {
  const [number, type] = ENTRIES[member];
  writeEntries(writer, number, type, [[name, value]]);
}

const LIMITS = (first: number): string =>
  [
    ...["maximum:double", "exclusiveMaximum:bool", "minimum:double", "exclusiveMinimum:bool", "maxLength:int"],
    ...["minLength:int", "pattern", "maxItems:int", "minItems:int", "uniqueItems:bool", "enum:any*"],
    "multipleOf:double",
  ]
    .map((field, index) => field.replace(/(?=:|$)/, `=${first + index}`))
    .join(" ");

/** What parameters that are no bodies have in common from some number on. */
const PLAIN = (first: number): string =>
  `type=${first} format=${first + 1} items=${first + 2}:PrimitivesItems collectionFormat=${first + 3} ` +
  `default=${first + 4}:any ${LIMITS(first + 5)}`;

const NAMED_PARAMETER = "required=1:bool in=2 description=3 name=4";

const MESSAGES: Readonly<Record<string, string>> = {
  Document:
    "swagger=1 info=2:Info host=3 basePath=4 schemes=5:text* consumes=6:text* produces=7:text* paths=8:Paths " +
    "definitions=9:{Schema} parameters=10:{Parameter} responses=11:{Response} security=12:SecurityRequirement* " +
    "securityDefinitions=13:{SecurityDefinitionsItem} tags=14:Tag* externalDocs=15:ExternalDocs x-=16",
  Info: "title=1 version=2 description=3 termsOfService=4 contact=5:Contact license=6:License x-=7",
  Contact: "name=1 url=2 email=3 x-=4",
  License: "name=1 url=2 x-=3",
  Tag: "name=1 description=2 externalDocs=3:ExternalDocs x-=4",
  ExternalDocs: "description=1 url=2 x-=3",
  BasicSecurity: "type=1 description=2 x-=3",
  ApiKeySecurity: "type=1 name=2 in=3 description=4 x-=5",
  PathItem:
    "$ref=1 get=2:Operation put=3:Operation post=4:Operation delete=5:Operation options=6:Operation head=7:Operation " +
    "patch=8:Operation parameters=9:ParametersItem* x-=10",
  Operation:
    "tags=1:text* summary=2 description=3 externalDocs=4:ExternalDocs operationId=5 produces=6:text* consumes=7:text* " +
    "parameters=8:ParametersItem* responses=9:Responses schemes=10:text* deprecated=11:bool " +
    "security=12:SecurityRequirement* x-=13",
  BodyParameter: "description=1 name=2 in=3 required=4:bool schema=5:Schema x-=6",
  HeaderParameter: `${NAMED_PARAMETER} ${PLAIN(5)} x-=22`,
  FormDataParameter: `${NAMED_PARAMETER} allowEmptyValue=5:bool ${PLAIN(6)} x-=23`,
  QueryParameter: `${NAMED_PARAMETER} allowEmptyValue=5:bool ${PLAIN(6)} x-=23`,
  PathParameter: `${NAMED_PARAMETER} ${PLAIN(5)} x-=22`,
  PrimitivesItems: `${PLAIN(1)} x-=18`,
  Header: `${PLAIN(1)} description=18 x-=19`,
  JsonReference: "$ref=1 description=2",
  Response: "description=1 schema=2:SchemaItem headers=3:{Header} examples=4:{any} x-=5",
  FileSchema:
    "format=1 title=2 description=3 default=4:any required=5:text* type=6 readOnly=7:bool " +
    "externalDocs=8:ExternalDocs example=9:any x-=10",
  Schema:
    "$ref=1 format=2 title=3 description=4 default=5:any multipleOf=6:double maximum=7:double exclusiveMaximum=8:bool " +
    "minimum=9:double exclusiveMinimum=10:bool maxLength=11:int minLength=12:int pattern=13 maxItems=14:int " +
    "minItems=15:int uniqueItems=16:bool maxProperties=17:int minProperties=18:int required=19:text* enum=20:any* " +
    "additionalProperties=21:AdditionalPropertiesItem type=22:TypeItem items=23:ItemsItem allOf=24:Schema* " +
    "properties=25:{Schema} discriminator=26 readOnly=27:bool xml=28:Xml externalDocs=29:ExternalDocs example=30:any " +
    "x-=31",
  Xml: "name=1 namespace=2 prefix=3 attribute=4:bool wrapped=5:bool x-=6",
};

type Choice = readonly [number: number, type: string];
const IN: Readonly<Record<string, Choice>> = {
  header: [1, "HeaderParameter"],
  formData: [2, "FormDataParameter"],
  query: [3, "QueryParameter"],
  path: [4, "PathParameter"],
};

/** Messages that hold one of several others, or a list of one. */
const CHOICES: Readonly<Record<string, (value: JsonValue) => Choice | undefined>> = {
  ParametersItem: (value) => (hasReference(value) ? [2, "JsonReference"] : [1, "Parameter"]),
  Parameter: (value) => (memberText(value, "in") === "body" ? [1, "BodyParameter"] : [2, "NonBodyParameter"]),
  NonBodyParameter: (value) => IN[memberText(value, "in")],
  ResponseValue: (value) => (hasReference(value) ? [2, "JsonReference"] : [1, "Response"]),
  SchemaItem: (value) => (memberText(value, "type") === "file" ? [2, "FileSchema"] : [1, "Schema"]),
  SecurityDefinitionsItem: (value) =>
    memberText(value, "type") === "apiKey" ? [2, "ApiKeySecurity"] : [1, "BasicSecurity"],
  AdditionalPropertiesItem: (value) => (typeof value === "boolean" ? [2, "choice"] : [1, "Schema"]),
  TypeItem: (value) => [1, isArray(value) ? "text*" : "text"],
  ItemsItem: (value) => [1, isArray(value) ? "Schema*" : "Schema"],
  StringArray: () => [1, "text*"],
};

function hasReference(value: JsonValue): boolean {
  return isObject(value) && "$ref" in value;
}

function memberText(value: JsonValue, key: string): string {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === "string" ? member : "";
}

interface Field {
  readonly name: string;
  readonly number: number;
  readonly type: string;
}

const layouts = new Map<string, readonly Field[]>();

function layoutOf(message: string): readonly Field[] {
  let layout = layouts.get(message);
  if (layout === undefined) {
    const words = MESSAGES[message]?.split(" ");
    if (words === undefined) throw new Error(`no message ${message}`);
    layout = words.map((word) => {
      const [name = "", rest = ""] = word.split("=");
      const [number, type = "text"] = rest.split(":");
      return { name, number: Number(number), type };
    });
    layouts.set(message, layout);
  }
  return layout;
}

function writeMessage(writer: WireWriter, message: string, value: JsonValue): void {
  const choose = CHOICES[message];
  if (choose !== undefined) {
    const choice = choose(value);
    if (choice !== undefined) writeField(writer, choice[0], choice[1], value);
  } else if (isObject(value)) {
    writeMembers(writer, message, value);
  }
}

function writeMembers(writer: WireWriter, message: string, object: JsonObject): void {
  if (message === "Paths") writeNamed(writer, object, { named: [2, "PathItem"], extensions: 1 });
  else if (message === "Responses") writeNamed(writer, object, { named: [1, "ResponseValue"], extensions: 2 });
  else if (message === "SecurityRequirement") writeEntries(writer, 1, "StringArray", sortedEntries(object));
  else writeFields(writer, message, object);
}

function writeFields(writer: WireWriter, message: string, object: JsonObject): void {
  for (const { name, number, type } of layoutOf(message)) {
    const value = object[name];
    if (name === "x-") writeEntries(writer, number, "any", extensionsOf(object));
    else if (value !== undefined) writeField(writer, number, type, value);
  }
}

/** Objects whose members are what they name, and extensions beside them. */
function writeNamed(
  writer: WireWriter,
  object: JsonObject,
  { named: [number, type], extensions }: { readonly named: Choice; readonly extensions: number },
): void {
  const own = sortedEntries(object).filter(([name]) => !name.startsWith("x-"));
  const writeOwn = (): void => writeEntries(writer, number, type, own);
  if (number < extensions) writeOwn();
  writeEntries(writer, extensions, "any", extensionsOf(object));
  if (number > extensions) writeOwn();
}

function extensionsOf(object: JsonObject): [string, JsonValue][] {
  return sortedEntries(object).filter(([name]) => name.startsWith("x-"));
}

/** As upstream has them, whatever the order they were made in. */
function sortedEntries(object: JsonObject): [string, JsonValue][] {
  return sortedKeys(object).map((name) => [name, object[name] as JsonValue]);
}

function writeEntries(
  writer: WireWriter,
  number: number,
  type: string,
  entries: readonly (readonly [string, JsonValue])[],
): void {
  for (const [name, value] of entries) {
    writer.writeMessage(number, (entry) => {
      writeField(entry, 1, "text", name);
      writeField(entry, 2, type, value);
    });
  }
}

/** Zero is not written, as the format has it, but where it was one of several that could have been. */
function writeField(writer: WireWriter, number: number, type: string, value: JsonValue): void {
  if (type.endsWith("*")) {
    for (const each of isArray(value) ? value : []) writeItem(writer, number, type.slice(0, -1), each);
  } else if (type.startsWith("{")) {
    const entries = isObject(value) ? sortedEntries(value) : [];
    writer.writeMessage(number, (message) => writeEntries(message, 1, type.slice(1, -1), entries));
  } else if (!isZero(value) || !SCALARS.has(type)) {
    writeItem(writer, number, type, value);
  }
}

const SCALARS: ReadonlySet<string> = new Set(["text", "bool", "int", "double"]);

function isZero(value: JsonValue): boolean {
  return value === "" || value === false || value === 0;
}

function writeItem(writer: WireWriter, number: number, type: string, value: JsonValue): void {
  const write = WRITERS[type];
  if (write === undefined) writer.writeMessage(number, (message) => writeMessage(message, type, value));
  else write(writer, number, value);
}

type Write = (writer: WireWriter, number: number, value: JsonValue) => void;

const writeBool: Write = (writer, number, value) => writer.writeBool(number, value === true);

const WRITERS: Readonly<Record<string, Write>> = {
  text: (writer, number, value) => writer.writeText(number, typeof value === "string" ? value : canonicalJson(value)),
  bool: writeBool,
  choice: writeBool,
  int: (writer, number, value) => writer.writeInteger(number, (isNumber(value) ? asBigInt(value) : undefined) ?? 0n),
  double: (writer, number, value) => writer.writeDouble(number, isNumber(value) ? asFloat(value) : 0),
  any: (writer, number, value) => {
    writer.writeMessage(number, (any) => any.writeText(2, `${canonicalJson(value)}\n`));
  },
};
