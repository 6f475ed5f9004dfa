/** A small object of a custom kind that the API server would accept. */

import type { CustomResourceDefinition } from "../crd/definition.ts";
import { minorOf } from "../kubecel/versions.ts";
import { type CustomResource, compileResource, type EngineOptions } from "../review/custom-resource/custom-resource.ts";
import type { Structural } from "../schema/structural.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";
import { LocalCheck } from "./witness/local-check.ts";
import { badness, repair } from "./witness/repair.ts";
import { asResource, Replay } from "./witness/replay.ts";
import { Sampler } from "./witness/sample.ts";

/** One per served version; without an object if none was found that satisfies all rules. */
export interface SampledVersion {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject | undefined;
}

/** How many values of the schema are tried as a start; each is repaired until the rules accept it. */
const MAX_STARTS = 12;

export function sampleObjects(definition: CustomResourceDefinition, engine: EngineOptions): readonly SampledVersion[] {
  const sampler = new Sampler(new LocalCheck(minorOf(engine.version)));
  return definition.versions
    .filter(({ served }) => served)
    .map((version) => {
      const resource = compileResource(definition, version, engine);
      const apiVersion = `${resource.group}/${resource.version}`;
      return { apiVersion, kind: resource.kind, object: sampleObject(resource, sampler) };
    });
}

function sampleObject(resource: CustomResource, sampler: Sampler): JsonObject | undefined {
  const replay = new Replay(resource, resource);
  const starts = startsFor(resource.schema, sampler);
  const goal = {
    distance: (object: JsonObject) => badness(replay.create(object, resource)),
    obstacles: (object: JsonObject) => replay.create(object, resource).errors.map((error) => ({ error, resource })),
    locked: [],
  };
  for (const start of starts) {
    const found = repair(asResource(start, resource), goal, sampler);
    if (found !== undefined) return asResource(found, resource);
  }
  return undefined;
}

/** An object without a specification says little, so those with one come first. */
function* startsFor(schema: Structural | undefined, sampler: Sampler): Generator<JsonObject> {
  if (schema === undefined) {
    yield newObject();
    return;
  }
  const spec = schema.properties.get("spec");
  const bodies = sampler.samples(schema, MAX_STARTS).filter(isObject);
  for (const value of spec === undefined ? [] : sampler.samples(spec, MAX_STARTS)) {
    for (const body of bodies.slice(0, 1)) yield withMember(body, "spec", value);
  }
  yield* bodies;
}
