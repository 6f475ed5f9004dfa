import { decodeJson } from "@portcullis/engine/codec/json";
import { readDefinition } from "@portcullis/engine/crd/definition";
import { decodeResource } from "@portcullis/engine/pipeline/coerce";
import { compileResource } from "@portcullis/engine/pipeline/custom-resource";
import { prepareCreate } from "@portcullis/engine/pipeline/prepare";
import { validateCreate } from "@portcullis/engine/pipeline/validate";
import { httpRoute, prometheus, schemaOf } from "./engine-objects.mjs";

const which = process.argv[2];
const N = Number(process.argv[3] ?? 6000);
const schema =
  which === "route"
    ? schemaOf("httproutes.gateway.networking.k8s.io-standard", "v1")
    : schemaOf("prometheuses.monitoring.coreos.com", "v1");
const text = JSON.stringify(which === "route" ? httpRoute(12) : prometheus(40));
const def = readDefinition(
  decodeJson(
    `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${JSON.stringify(schema)}}}]}}`,
  ).value,
);
const r = compileResource(def, def.versions[0], {
  version: "1.36",
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
});
const S = { uid: () => "u", now: () => "2026-01-01T00:00:00Z", suffix: () => "abcde" };
const one = () => {
  const { value } = decodeJson(text);
  const o = decodeResource(value, r).object;
  return validateCreate(prepareCreate(o, r, "default", S), r);
};
for (let i = 0; i < 1000; i++) one();
let best = Infinity;
for (let k = 0; k < 10; k++) {
  const s = process.cpuUsage();
  for (let i = 0; i < N / 10; i++) one();
  const { user, system } = process.cpuUsage(s);
  best = Math.min(best, (user + system) / (N / 10));
}
console.log(which, best.toFixed(1), "us", one().errors.length);

import { newPath } from "@portcullis/engine/field/path";
import { evaluateRules } from "@portcullis/engine/rules/evaluate";
import { applyDefaults } from "@portcullis/engine/schema/default";
import { coerceEmbedded, validateEmbedded } from "@portcullis/engine/schema/embedded";
import { validateListTypes } from "@portcullis/engine/schema/list-type";
import { decodeMeta } from "@portcullis/engine/schema/meta-shape";
import { dropNulls } from "@portcullis/engine/schema/nulls";
import { pathSegmentName, validateMeta } from "@portcullis/engine/schema/object-meta";
import { prune } from "@portcullis/engine/schema/prune";
import { isDeeperThan } from "@portcullis/engine/value/depth";

const raw = decodeJson(text).value;
const obj = decodeResource(raw, r).object;
const prep = prepareCreate(obj, r, "default", S);
const fs = {
  json: () => decodeJson(text),
  native: () => JSON.parse(text),
  depth: () => isDeeperThan(raw, 500),
  meta: () => decodeMeta(raw.metadata),
  prune: () => prune(raw, r.schema, { isResourceRoot: true }),
  nulls: () => dropNulls(raw, r.schema),
  embedded: () => coerceEmbedded(raw, r.schema, { isResourceRoot: false }),
  defaults: () => applyDefaults(raw, r.schema),
  defaultsNoop: () => applyDefaults(obj, r.schema),
  prepare: () => prepareCreate(obj, r, "default", S),
  vmeta: () => validateMeta(prep.metadata, { namespaced: true, checkName: pathSegmentName }, newPath("metadata")),
  schema: () => r.validator.validate(prep),
  vembedded: () => validateEmbedded(prep, r.schema, false),
  lists: () => validateListTypes(r.schema, prep),
  rules: () => r.rules && evaluateRules(r.rules, { value: prep, budget: 1e7 }),
};
let sum = 0;
for (const [n, f] of Object.entries(fs)) {
  for (let i = 0; i < 500; i++) f();
  let b = Infinity;
  for (let k = 0; k < 12; k++) {
    const s = process.cpuUsage();
    for (let i = 0; i < 300; i++) f();
    const { user, system } = process.cpuUsage(s);
    b = Math.min(b, (user + system) / 300);
  }
  if (n !== "native" && n !== "defaultsNoop") sum += b;
  console.log(n.padEnd(14), b.toFixed(1));
}
console.log("sum", sum.toFixed(1));
