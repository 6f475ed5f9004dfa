/**
 * Our side of the engine benchmark. The first input is `{schema, object}`; the output is the validation errors. Each
 * further `{phase, millis}` returns `{ns}`: CPU time of this process, all threads, per run of the phase.
 */
import { createInterface } from "node:readline";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import { errorBody } from "@portcullis/engine/internal/field/format";
import { coerceResource, decodeResource } from "@portcullis/engine/internal/review/custom-resource/coerce";
import { compileResource } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { prepareCreate, prepareUpdate } from "@portcullis/engine/internal/review/custom-resource/prepare";
import { validateCreate, validateUpdate } from "@portcullis/engine/internal/review/custom-resource/validate";
import { evaluateRules } from "@portcullis/engine/internal/rules/evaluate";
import { applyDefaults } from "@portcullis/engine/internal/schema/default";
import { validateListTypes } from "@portcullis/engine/internal/schema/list-type";
import { dropNulls } from "@portcullis/engine/internal/schema/nulls";
import { prune } from "@portcullis/engine/internal/schema/prune";
import { measure, reply } from "./protocol.mjs";

const SYSTEM = { uid: () => "u", now: () => "2026-01-01T00:00:00Z", suffix: () => "abcde" };
const BUDGET = 10_000_000;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { schema, object } = JSON.parse((await lines.next()).value);
const phases = benchPhases(JSON.stringify(schema), JSON.stringify(object));
reply({ errors: phases.errors });
for await (const line of lines) {
  const { phase, millis } = JSON.parse(line);
  reply({ ns: measure(phases[phase], millis * 1000) });
}

function benchPhases(schemaText, text) {
  const on = resourceFor(schemaText, true);
  const off = resourceFor(schemaText, false);
  const received = (resource, strict) => {
    const { value, outline } = decodeJson(text, { duplicates: strict });
    return decodeResource(value, resource, { trackUnknown: strict, outline }).object;
  };
  const { value: given, outline } = decodeJson(text);
  const object = received(on, false);
  const old = prepareCreate(object, on, "default", SYSTEM);
  const create = (strict) => () => validateCreate(prepareCreate(received(on, strict), on, "default", SYSTEM), on);
  const update = (resource) => () =>
    validateUpdate(prepareUpdate(received(resource, false), old, resource, "default"), old, resource);
  return {
    errors: create(false)().errors.map((error) => `${error.path}: ${errorBody(error)}`),
    decode: () => decodeJson(text),
    // As in the pipeline: with the outline from decoding, and with the metadata read.
    prune: () => coerceResource(given, on, { outline }),
    "prune without an outline": () => dropNulls(prune(object, on.schema, { isResourceRoot: true }), on.schema),
    default: () => applyDefaults(object, on.schema),
    schema: () => on.validator.validate(object),
    "list types": () => validateListTypes(on.schema, object),
    rules: () => on.rules && evaluateRules(on.rules, { value: object, budget: BUDGET }),
    create: create(false),
    strict: create(true),
    update: update(on),
    "update without ratcheting": update(off),
    "default, with work to do": () => applyDefaults(given, on.schema),
  };
}

function resourceFor(schemaText, ratcheting) {
  const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schemaText}}}`;
  const names = '{"plural":"widgets","kind":"Widget"}';
  const spec = `{"group":"example.com","scope":"Namespaced","names":${names},"versions":[${version}]}`;
  const definition = readDefinition(decodeJson(`{"metadata":{"name":"widgets.example.com"},"spec":${spec}}`).value);
  const gates = { CRDValidationRatcheting: ratcheting, CRDPropertyNameSchemas: true };
  return compileResource(definition, definition.versions[0], { version: "1.36", gates });
}
