import { celEnv, parse, plan } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { contend } from "./protocol.mjs";

/** This library treats whole JavaScript numbers as doubles, so integers are bound as bigint. */
function withIntegers(value) {
  if (Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(withIntegers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withIntegers(child)]));
}

await contend((data) => {
  const environment = celEnv({ funcs: strings });
  const bound = { self: withIntegers(data) };
  return (rule) => {
    const evaluate = plan(environment, parse(rule));
    return () => ({ value: evaluate(bound) });
  };
});
