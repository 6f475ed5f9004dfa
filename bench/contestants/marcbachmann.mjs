import { Environment } from "@marcbachmann/cel-js";
import { contend } from "./protocol.mjs";

/** This library treats whole JavaScript numbers as doubles, so integers are bound as bigint. */
function withIntegers(value) {
  if (Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(withIntegers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withIntegers(child)]));
}

await contend((data) => {
  const environment = new Environment().registerVariable("self", "dyn");
  const bound = { self: withIntegers(data) };
  return (rule) => {
    const evaluate = environment.parse(rule);
    return () => ({ value: evaluate(bound) });
  };
});
