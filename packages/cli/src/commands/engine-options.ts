/** Which Kubernetes is wanted: the version, and the gates that are open. */
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import type { EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import { UsageError } from "./command.ts";
import { readVersion } from "./options.ts";

export function engineOptions(version: string | undefined, gates: string | undefined): EngineOptions {
  const enabled = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
  for (const pair of (gates ?? "").split(",").filter((each) => each !== "")) {
    const [name = "", value] = pair.split("=");
    if (!isGate(name, enabled) || (value !== "true" && value !== "false")) {
      throw new UsageError(
        `unknown feature gate \`${pair}\`; one of ${Object.keys(enabled).join(", ")} with =true or =false`,
      );
    }
    enabled[name] = value === "true";
  }
  return { version: readVersion(version ?? SERVER_VERSION), gates: enabled };
}

function isGate<T extends object>(name: string, gates: T): name is keyof T & string {
  return Object.hasOwn(gates, name);
}
