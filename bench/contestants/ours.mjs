/** As for admission policies: `self` is plain data as the engine decodes it, its type unknown to the checker. */
import { DYN } from "@portcullis/cel";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { kubernetesEnvironment, PER_CALL_LIMIT } from "@portcullis/engine/kubecel";
import { contend } from "./protocol.mjs";

const [, , version] = process.argv;

await contend((data) => {
  const environment = kubernetesEnvironment({
    version,
    mode: "stored",
    serverVersion: version,
    variables: { self: DYN },
  });
  const bound = { self: decodeJson(JSON.stringify(data)).value };
  return (rule) => {
    const compiled = environment.compile(rule);
    if (!compiled.ok) throw new Error(compiled.text);
    const made = environment.program(compiled.ast, { costLimit: PER_CALL_LIMIT });
    if (!made.ok) throw new Error(made.error.message);
    return () => made.program.evaluate(bound);
  };
});
