/** `check --deprecations`: API versions that Kubernetes removes. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import type { Options } from "../../frame/options.ts";

const GROUP = "the API server";

export const DEPRECATION_OPTIONS = {
  deprecations: {
    type: "boolean",
    group: GROUP,
    text: "only report deprecated API versions: an error if the target version does not have them, otherwise a warning",
  },
  "target-version": {
    type: "string",
    value: "VERSION",
    group: GROUP,
    text: `with --deprecations: the Kubernetes version to upgrade to (default: ${SERVER_VERSION}); later ones are possible`,
  },
} as const satisfies OptionSpecs;

/** The minor version; undefined for an ordinary check. */
export function readTarget(options: Options): number | undefined {
  const text = options.text("target-version");
  if (!options.flag("deprecations")) {
    if (text !== undefined) throw new UsageError("`--target-version` needs `--deprecations`");
    return undefined;
  }
  const match = /^v?1\.(\d{1,3})(?:\..*)?$/.exec(text ?? SERVER_VERSION);
  if (match === null) throw new UsageError(`\`--target-version ${text}\` is not a version such as 1.38`);
  return Number(match[1]);
}
