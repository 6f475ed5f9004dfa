/**
 * Discovery documents as protobuf: messages of meta/v1 and apidiscovery/v2, byte for byte as Go writes them.
 *
 * Each message is a line of fields, `name=number:type`. A type is text unless it is named; `*` marks a list, `?` what is
 * left out where it is absent. Everything else is always written.
 */
import { inEnvelope } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { WireWriter } from "@portcullis/engine/internal/builtin/protobuf/writer";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";

const MESSAGES: Readonly<Record<string, string>> = {
  APIVersions: "versions=1:text* serverAddressByClientCIDRs=2:Address*",
  Address: "clientCIDR=1 serverAddress=2",
  APIGroupList: "groups=1:APIGroup*",
  APIGroup: "name=1 versions=2:Version* preferredVersion=3:Version serverAddressByClientCIDRs=4:Address*",
  Version: "groupVersion=1 version=2",
  APIResourceList: "groupVersion=1 resources=2:Resource*",
  Resource:
    "name=1 namespaced=2:bool kind=3 verbs=4:Texts shortNames=5:text* singularName=6 categories=7:text* group=8 " +
    "version=9 storageVersionHash=10",
  APIGroupDiscoveryList: "metadata=1:ListMeta items=2:Group*",
  ListMeta: "selfLink=1 resourceVersion=2 continue=3",
  Group: "metadata=1:ObjectMeta versions=2:GroupVersion*",
  ObjectMeta:
    "name=1 generateName=2 namespace=3 selfLink=4 uid=5 resourceVersion=6 generation=7:zero creationTimestamp=8:Time",
  Time: "",
  GroupVersion: "version=1 resources=2:GroupResource* freshness=3",
  GroupResource:
    "resource=1 responseKind=2:Kind? scope=3 singularResource=4 verbs=5:text* shortNames=6:text* categories=7:text* " +
    "subresources=8:Subresource*",
  Subresource: "subresource=1 responseKind=2:Kind? acceptedTypes=3:Kind* verbs=4:text*",
  Kind: "group=1 version=2 kind=3",
};

/** The document names its kind. */
export function discoveryProtobuf(document: JsonObject): Uint8Array {
  const kind = textOf(document["kind"]);
  return inEnvelope(textOf(document["apiVersion"]), kind, discoveryMessage(kind, document));
}

/** A message of its own, for a document that is put together from pieces. */
export function discoveryMessage(message: string, object: JsonObject): Uint8Array {
  const writer = new WireWriter();
  writeMessage(writer, message, object);
  return writer.finish();
}

function writeMessage(writer: WireWriter, message: string, object: JsonObject): void {
  for (const { name, number, type } of layoutOf(message)) writeField(writer, number, type, object[name]);
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
    const fields = MESSAGES[message]?.split(" ").filter((each) => each !== "");
    if (fields === undefined) throw new Error(`no message ${message}`);
    layout = fields.map((word) => {
      const [, name = "", number, type = "text"] = /^(\w+)=(\d+)(?::(.+))?$/.exec(word) ?? [];
      return { name, number: Number(number), type };
    });
    layouts.set(message, layout);
  }
  return layout;
}

function writeField(writer: WireWriter, number: number, type: string, value: JsonValue | undefined): void {
  if (type.endsWith("*")) {
    for (const each of isArray(value) ? value : []) writeField(writer, number, type.slice(0, -1), each);
  } else if (type.endsWith("?")) {
    if (value !== undefined) writeField(writer, number, type.slice(0, -1), value);
  } else if (type === "text") {
    writer.writeText(number, textOf(value));
  } else if (type === "bool") {
    writer.writeBool(number, value === true);
  } else if (type === "zero") {
    writer.writeInteger(number, 0n);
  } else if (type === "Texts") {
    writer.writeMessage(number, (list) => writeField(list, 1, "text*", value));
  } else {
    writer.writeMessage(number, (inner) => writeMessage(inner, type, isObject(value) ? value : newObject()));
  }
}
