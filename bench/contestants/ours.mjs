import { fromJson } from "@portcullis/cel";
import { kubernetesEnvironment } from "@portcullis/engine/kubecel";
import { contend } from "./protocol.mjs";

await contend((data) => {
  const environment = kubernetesEnvironment({ version: "1.36", mode: "stored", variables: { self: { kind: "dyn" } } });
  const bound = { self: fromJson(data) };
  return (rule) => {
    const compiled = environment.compile(rule);
    if (!compiled.ok) throw new Error(compiled.issues.map(({ message }) => message).join("; "));
    const program = environment.program(compiled.ast);
    return () => program.evaluate(bound);
  };
});
