/** As for custom resources: `self` has a declared type and its data is read through the schema. */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { assignTypeName, schemaDeclType } from "@portcullis/engine/internal/kubecel/decl-type";
import { schemaValue } from "@portcullis/engine/internal/kubecel/unstructured";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import { kubernetesEnvironment, PER_CALL_LIMIT } from "@portcullis/engine/kubecel";
import { contend } from "./protocol.mjs";

/** An object whose values are all strings is treated as a map, as in the Go program. */
function infer(value) {
  if (Array.isArray(value)) return { type: "array", items: infer(value[0]) };
  if (typeof value === "object") {
    const members = Object.entries(value).map(([name, member]) => [name, infer(member)]);
    const isMap = members.every(([, schema]) => schema.type === "string");
    if (isMap) return { type: "object", additionalProperties: { type: "string" } };
    return { type: "object", properties: Object.fromEntries(members) };
  }
  return { type: typeof value === "number" ? "integer" : typeof value };
}

const [, , version] = process.argv;

await contend((data) => {
  const schema = parseSchema(infer(data));
  const declared = assignTypeName(schemaDeclType(schema, { resourceRoot: false }), "selfType");
  const object = decodeJson(JSON.stringify(data)).value;
  const variables = { self: declared.type };
  const environment = kubernetesEnvironment({
    version,
    mode: "stored",
    serverVersion: version,
    variables,
    declared: [declared],
  });
  return (rule) => {
    const compiled = environment.compile(rule);
    if (!compiled.ok) throw new Error(compiled.text);
    const made = environment.program(compiled.ast, { costLimit: PER_CALL_LIMIT });
    if (!made.ok) throw new Error(made.error.message);
    return () => made.program.evaluate({ self: schemaValue(object, schema) });
  };
});
