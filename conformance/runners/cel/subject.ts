/** Runs one case of the corpus with our engine and formats the result as in the corpus. */
import {
  type Ast,
  type CostNode,
  type Environment,
  formatType,
  isError,
  OptionalValue,
  optionalOf,
  type SizeHints,
  type Type,
  type Value,
} from "@portcullis/cel";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { assignTypeName, type DeclType, schemaDeclType } from "@portcullis/engine/internal/kubecel/decl-type";
import { type ExpressionMode, kubernetesEnvironment } from "@portcullis/engine/internal/kubecel/environment";
import { PER_CALL_LIMIT } from "@portcullis/engine/internal/kubecel/limits";
import { declTypeSizeHints, NO_SIZE_HINTS } from "@portcullis/engine/internal/kubecel/size-hints";
import { schemaValue } from "@portcullis/engine/internal/kubecel/unstructured";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { asVersion } from "@portcullis/engine/internal/value/server-version";
import { RECORDED_VERSION } from "../recorded-version.ts";
import { type Answer, type CaseEnvironment, type RecordedCase, readSchemas, textOf } from "./case.ts";
import { decodeData, decodeValue } from "./decode.ts";
import { encodeValue } from "./encode.ts";
import { parseType } from "./type-notation.ts";

/** Anything the engine throws is reported as its error: it never matches. */
export function runCase(recorded: RecordedCase, server: KubernetesVersion = RECORDED_VERSION): Answer {
  try {
    return asVersion(server, () => evaluateCase(recorded, server));
  } catch (thrown) {
    return { error: `threw ${thrown instanceof Error ? thrown.stack : String(thrown)}` };
  }
}

function evaluateCase(recorded: RecordedCase, server: KubernetesVersion): Answer {
  const { environment, hints, schema } = environmentFor(recorded.case.env ?? {}, server);
  const compiled = environment.compile(textOf(recorded.case));
  if (!compiled.ok) return { issues: compiled.text };
  const { min, max } = environment.estimateCost(compiled.ast, hints);
  return {
    type: formatType(compiled.ast.type),
    estimate: { min: String(min), max: String(max) },
    ...evaluate(environment, compiled.ast, recorded, schema),
  };
}

function evaluate(
  environment: Environment,
  ast: Ast,
  recorded: RecordedCase,
  schema: Structural | undefined,
): Partial<Answer> {
  const { limit } = recorded.case;
  const costLimit = limit === undefined ? PER_CALL_LIMIT : Number(limit);
  const made = environment.program(ast, { costLimit });
  if (!made.ok) return { programError: made.error.message };
  const { value, cost } = made.program.evaluate(bindings(recorded, schema));
  const outcome = isError(value) ? { error: value.message } : { value: encodeValue(value) };
  return { ...outcome, cost: String(cost) };
}

function bindings(recorded: RecordedCase, schema: Structural | undefined): Record<string, Value> {
  const bound: Record<string, Value> = {};
  if (recorded.case.bind === undefined) return bound;
  for (const [name, typed] of Object.entries(memberOf(decode(recorded.line), "bind"))) {
    bound[name] = schema === undefined ? decodeValue(typed) : underSchema(name, decodeData(typed), schema, recorded);
  }
  return bound;
}

function underSchema(name: string, data: JsonValue, schema: Structural, recorded: RecordedCase): Value {
  if (name !== "oldSelf" || recorded.case.env?.optionalOldSelf !== true) return schemaValue(data, schema);
  return data === null ? OptionalValue.none : new OptionalValue(schemaValue(data, schema));
}

interface Setting {
  readonly environment: Environment;
  readonly hints: SizeHints;
  readonly schema: Structural | undefined;
}

const settings = new Map<string, Setting>();

/** Environments are shared between cases: creating one is the most expensive part. */
function environmentFor(env: CaseEnvironment, server: KubernetesVersion): Setting {
  const key = `${server} ${JSON.stringify(env)}`;
  const known = settings.get(key) ?? newSetting(env, server);
  settings.set(key, known);
  return known;
}

function newSetting(env: CaseEnvironment, server: KubernetesVersion): Setting {
  const version = env.version ?? server;
  const mode = env.mode ?? "stored";
  if (env.schema !== undefined) return schemaSetting(env, env.schema, { version, mode });
  const variables: Record<string, Type> = {};
  for (const [name, notation] of Object.entries(env.vars ?? {})) variables[name] = parseType(notation);
  const environment = kubernetesEnvironment({ version, mode, variables });
  return { environment, hints: sizeHints(env.sizes), schema: undefined };
}

function schemaSetting(
  env: CaseEnvironment,
  name: string,
  base: { readonly version: KubernetesVersion; readonly mode: ExpressionMode },
): Setting {
  const schema = schemaNamed(name);
  const options = { resourceRoot: env.root === true };
  const declared = schemaDeclType(schema, options);
  if (declared === undefined) throw new Error(`schema ${name} has no declared type`);
  const scoped: DeclType = assignTypeName(declared, "selfType");
  const oldSelf = env.optionalOldSelf === true ? optionalOf(scoped.type) : scoped.type;
  const variables = { self: scoped.type, oldSelf };
  const environment = kubernetesEnvironment({ ...base, variables, declared: [scoped] });
  return { environment, hints: declTypeSizeHints(declared), schema };
}

let schemas: JsonObject | undefined;

function schemaNamed(name: string): Structural {
  schemas ??= decode(readSchemas());
  return parseSchema(schemas[name] ?? null);
}

function sizeHints(sizes: Readonly<Record<string, number>> | undefined): SizeHints {
  if (sizes === undefined) return NO_SIZE_HINTS;
  return {
    estimateSize({ path }: CostNode) {
      const max = sizes[path.join(".")];
      return max === undefined ? undefined : { min: 0n, max: BigInt(max) };
    },
  };
}

function decode(text: string): JsonObject {
  const decoded = decodeJson(text);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error("the corpus is not JSON");
  return decoded.value;
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = object[name];
  return isObject(member) ? member : {};
}
