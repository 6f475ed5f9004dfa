/** The options of `serve` for admission plugins and controllers. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { ServerOptions } from "@portcullis/server";
import { CONTROLLER_NAMES, enabledControllers } from "@portcullis/server/internal";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import type { Options } from "../../frame/options.ts";
import { readAdmission } from "./serve-admission.ts";

const GROUP = "the API server";

export const ADMISSION_OPTIONS = {
  "enable-admission-plugins": {
    type: "string",
    value: "NAME,…",
    group: GROUP,
    text: "admission plugins of kube-apiserver that are off by default",
  },
  "disable-admission-plugins": {
    type: "string",
    value: "NAME,…",
    group: GROUP,
    text: "admission plugins that do not run",
  },
  "admission-control-config-file": {
    type: "string",
    value: "FILE",
    group: GROUP,
    text: "an AdmissionConfiguration: Pod Security defaults, limited resources, static policies and webhooks",
  },
  controllers: {
    type: "string",
    value: "LIST",
    group: GROUP,
    text: `the controllers that run, as for kube-controller-manager: ${CONTROLLER_NAMES.join(", ")} (default *)`,
  },
} as const satisfies OptionSpecs;

export function readAdmissionOptions(options: Options, allowsManifests: boolean): ReturnType<typeof readAdmission> {
  const list = (name: "enable-admission-plugins" | "disable-admission-plugins"): string[] =>
    (options.text(name) ?? "").split(",").filter((each) => each !== "");
  const [enable, disable] = [list("enable-admission-plugins"), list("disable-admission-plugins")];
  const configFile = options.text("admission-control-config-file");
  try {
    return readAdmission({ enable, disable, configFile, allowsManifests });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Names are checked before anything starts. */
export function readControllers(text: string | undefined): Pick<ServerOptions, "controllers"> {
  if (text === undefined) return {};
  const controllers = text.split(",").map((item) => item.trim());
  try {
    enabledControllers(controllers);
  } catch (error) {
    throw new UsageError(`\`--controllers\`: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { controllers };
}
