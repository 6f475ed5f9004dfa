/** The recorded answers about custom resources and CRDs as requests to a server. */
import { Float64, isArray, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { withMember, withoutMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { type EngineCase, readTopic, topicsOf } from "../engine/case.ts";
import { readReal } from "../engine/real.ts";
import { definitionFor, wrap } from "../engine/subject.ts";
import { parseExactly, steadyText } from "../vectors/normal.ts";
import type { Outcome, Step } from "../vectors/vector.ts";
import type { Corpus } from "./corpora.ts";
import type { SurfaceCase } from "./surface.ts";

type Json = ReturnType<typeof JSON.parse>;

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DEFINITION = `${DEFINITIONS}/widgets.example.com`;
const WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

export function engineCorpora(): readonly Corpus[] {
  const objects = [...topicsOf("values"), ...topicsOf("updates")];
  return [
    ...objects.map((topic) => ({ topic: `engine-${topic}`, read: () => readTopic(topic).flatMap(objectCase) })),
    ...topicsOf("definitions").map((topic) => ({
      topic: `engine-${topic}`,
      read: () => readTopic(topic).flatMap(definitionCase),
    })),
    { topic: "engine-definitions-real", read: () => readReal().flatMap(definitionCase) },
  ];
}

/** Cases in which upstream crashed have no answer. */
function objectCase(asked: EngineCase): readonly SurfaceCase[] {
  if (asked.want.panic !== undefined) return [];
  const definition = exactText(withTypeOf(definitionFor(asked)));
  const write = asked.old === undefined ? created(asked) : updated(asked);
  const setup =
    asked.old === undefined ? [{ method: "POST", path: DEFINITIONS, raw: definition }] : stored(asked, definition);
  const cleanup: Step[] = [{ method: "DELETE", path: DEFINITION }];
  const expect = [wantedOf(asked, asked.old === undefined ? 201 : 200)];
  return [{ id: asked.id, vector: { name: asked.id, setup, steps: [write], cleanup, unordered: true, expect } }];
}

/** The old object is stored under a schema that allows everything: it may be invalid under that of the case. */
function stored(asked: EngineCase, definition: string): Step[] {
  const open = plain(withTypeOf(definitionFor(asked)));
  open.spec.versions[0].schema.openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return [
    { method: "POST", path: DEFINITIONS, body: open },
    {
      method: "POST",
      path: WIDGETS,
      raw: rawOf(asked, asked.old).replace('"resourceVersion":"1"', '"resourceVersion":""'),
    },
    {
      method: "PUT",
      path: DEFINITION,
      raw: definition.replace('"metadata":{', '"metadata":{"resourceVersion":"{{rv}}",'),
    },
  ];
}

function created(asked: EngineCase): Step {
  const raw = rawOf(asked, asked.object).replace('"resourceVersion":"1"', '"resourceVersion":""');
  return { method: "POST", path: `${WIDGETS}?fieldValidation=Warn`, raw, ...pickOf(asked) };
}

function updated(asked: EngineCase): Step {
  const raw = rawOf(asked, asked.object).replace('"resourceVersion":"1"', '"resourceVersion":"{{rv}}"');
  const path = `${WIDGETS}/a${asked.isStatus ? "/status" : ""}?fieldValidation=Warn`;
  return { method: "PUT", path, raw, ...pickOf(asked) };
}

/** Only creates of a specification say what is stored. */
function pickOf({ isRoot, old }: EngineCase): Pick<Step, "pick"> {
  return isRoot || old !== undefined ? {} : { pick: ["/spec"] };
}

function rawOf(asked: EngineCase, object: JsonValue | undefined): string {
  return exactText(wrap(object, asked));
}

function wantedOf(asked: EngineCase, success: number): Outcome {
  const { decode, errors, unknown, warnings } = asked.want;
  if (decode !== undefined) return { code: 400 };
  const all = [...unknown.map((field) => `unknown field "${field}"`), ...warnings];
  if (errors.length === 0) {
    const spec = specOf(asked);
    return { code: success, ...("pick" in pickOf(asked) && { object: { "/spec": spec ?? null } }), warnings: all };
  }
  const causes = errors.map(({ type, field, text }) => ({
    field,
    reason: type,
    message: steady(text),
  }));
  return { code: 422, causes, warnings: all };
}

function specOf({ want, object }: EngineCase): Json {
  const left = want.object === undefined ? object : isObject(want.object) ? want.object["spec"] : undefined;
  return left === undefined ? undefined : parseExactly(canonicalJson(left));
}

function definitionCase(asked: EngineCase): readonly SurfaceCase[] {
  if (asked.want.panic !== undefined || !isObject(asked.object)) return [];
  const name = plain(asked.object).metadata?.name;
  const at = `${DEFINITIONS}/${name}`;
  const setup: Step[] =
    asked.old === undefined
      ? []
      : [{ method: "POST", path: DEFINITIONS, body: withType(plain(withTypeOf(asked.old))) }];
  const body = withType(plain(asked.object));
  const versioned = { ...body, metadata: { ...body.metadata, resourceVersion: "{{rv}}" } };
  const step: Step =
    asked.old === undefined
      ? { method: "POST", path: DEFINITIONS, raw: exactText(withTypeOf(asked.object)) }
      : { method: "PUT", path: at, body: versioned };
  const { decode, errors, warnings } = asked.want;
  const causes = errors.map(({ type, field, text }) => ({
    field,
    reason: type,
    message: steady(text),
  }));
  const success = { code: asked.old === undefined ? 201 : 200, warnings };
  const wanted = decode !== undefined ? { code: 400 } : errors.length > 0 ? { code: 422, causes } : success;
  const cleanup: Step[] = [{ method: "DELETE", path: at }];
  return [
    { id: asked.id, vector: { name: asked.id, setup, steps: [step], cleanup, unordered: true, expect: [wanted] } },
  ];
}

/** The records are of objects that have a version already. */
function withTypeOf(object: JsonValue): JsonValue {
  if (!isObject(object)) return object;
  const metadata = object["metadata"];
  if (isObject(metadata) && "resourceVersion" in metadata) {
    return withTypeOf(withMember(object, "metadata", withoutMember(metadata, "resourceVersion")));
  }
  return withMember(withMember(object, "kind", "CustomResourceDefinition"), "apiVersion", "apiextensions.k8s.io/v1");
}

/** As answers are compared: without uids, and without the numbers that CEL gives to types. */
function steady(text: string): string {
  return steadyText(text, Date.now()).replaceAll(/selfType\d+/g, "selfType<N>");
}

function withType(object: Json): Json {
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", ...object };
}

function plain(value: JsonValue): Json {
  return JSON.parse(canonicalJson(value));
}

/** JSON that keeps what numbers are: an integral float64 has a fraction. */
function exactText(value: JsonValue): string {
  if (value instanceof Float64) return Number.isInteger(value.value) ? floatText(value.value) : String(value.value);
  if (isArray(value)) return `[${value.map(exactText).join(",")}]`;
  if (!isObject(value)) return canonicalJson(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${exactText(member)}`);
  return `{${members.join(",")}}`;
}

function floatText(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.includes("e") ? text : `${text}.0`;
}
