/**
 * Our side of the write benchmark. The first input is `{object, jsonPatch, mergePatch, strategicPatch, applied}`; the
 * output is the result of each phase. Each further `{phase, millis}` returns `{ns}`, CPU time of this process per run
 * of the phase, and each `{memory, runs}` returns `{bytes}`, the heap growth per run without garbage collection.
 */
import { createInterface } from "node:readline";
import { applyPatch } from "@portcullis/engine/internal/apply/apply-patch";
import { trackWrite } from "@portcullis/engine/internal/apply/managers/track-write";
import { builtinTypes } from "@portcullis/engine/internal/builtin/apply-types";
import { builtinResource } from "@portcullis/engine/internal/builtin/builtin";
import { normalize } from "@portcullis/engine/internal/builtin/decode";
import { patchStrategically } from "@portcullis/engine/internal/builtin/strategic";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { setOf } from "@portcullis/engine/internal/fieldset/set";
import { applyJsonPatch, readOperations } from "@portcullis/engine/internal/patch/json-patch";
import { applyMergePatch } from "@portcullis/engine/internal/patch/merge-patch";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { measure, reply } from "./protocol.mjs";

const KIND = { group: "apps", version: "v1", kind: "Deployment" };
const NOW = "2026-01-01T00:00:00Z";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const phases = phasesOf(JSON.parse((await lines.next()).value));
reply({ results: Object.fromEntries(Object.entries(phases).map(([name, run]) => [name, withoutOwners(run())])) });
for await (const line of lines) {
  const { phase, millis, memory, runs } = JSON.parse(line);
  if (memory === undefined) reply({ ns: measure(phases[phase], millis * 1000) });
  else reply({ bytes: growth(phases[memory], runs) });
}

function phasesOf({ object, jsonPatch, mergePatch, strategicPatch, applied }) {
  const resource = builtinResource("apps", "v1", "deployments");
  const [text, operations, merge, strategic, config] = [object, jsonPatch, mergePatch, strategicPatch, applied].map(
    (each) => JSON.stringify(each),
  );
  const decode = (given, fieldValidation) => {
    const { value, strictErrors, outline } = decodeJson(given, { duplicates: true });
    return resource.decode({ value, strictErrors, outline, text: given }, fieldValidation).object;
  };
  const live = decode(text, "Ignore");
  const liveText = () => JSON.stringify(live);
  const scope = scopeOf(resource);
  const owned = trackWrite(scope, { live: undefined, next: live, manager: "creator", now: NOW });
  return {
    ignore: () => decode(text, "Ignore"),
    strict: () => decode(text, "Strict"),
    "json patch": () => {
      decodeJson(operations, { duplicates: true });
      return decode(applyJsonPatch(liveText(), readOperations(operations)), "Strict");
    },
    "merge patch": () => {
      decodeJson(merge, { duplicates: true });
      return decode(applyMergePatch(liveText(), merge), "Strict");
    },
    "strategic patch": () => {
      const { value, strictErrors } = decodeJson(strategic, { duplicates: true });
      return patchStrategically(live, KIND, { patch: value, strictErrors, fieldValidation: "Strict" }).object;
    },
    apply: () => {
      const { value } = decodeYaml(config, { duplicates: true });
      return applyPatch(scope, { live: owned, patch: value, manager: "applier", force: true, now: NOW }).object;
    },
  };
}

function scopeOf(resource) {
  const apiVersion = "apps/v1";
  return {
    apiVersion,
    kind: "Deployment",
    subresource: "",
    types: builtinTypes,
    resetFields: new Map([[apiVersion, setOf()]]),
    emptyObject: normalize(fromPlain({ kind: "Deployment", apiVersion }), KIND),
    complete: (object) => ({ object: resource.decodeFields(object).value }),
    parseJson: (text) => decodeJson(text).value,
  };
}

function withoutOwners(object) {
  const { managedFields: _, ...metadata } = object.metadata;
  return withMember(object, "metadata", metadata);
}

/** The young generation is larger than what the runs allocate, so that the heap only grows. */
function growth(run, runs) {
  for (let i = 0; i < runs; i++) run();
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < runs; i++) run();
  return (process.memoryUsage().heapUsed - before) / runs;
}
