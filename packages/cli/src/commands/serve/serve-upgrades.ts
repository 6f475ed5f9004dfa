/** `--crd-upgrade-check`: how the server handles CRD updates that break objects. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { ServerOptions } from "@portcullis/server";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import { type Options, readChoice } from "../../frame/options.ts";

const MODES = ["off", "warn", "error"] as const;
const FAIL_MODES = ["open", "closed"] as const;

export const UPGRADE_CHECK_OPTIONS = {
  "crd-upgrade-check": {
    type: "string",
    value: "MODE",
    values: MODES,
    text: "unsafe CRD updates: off (default), warn or error",
  },
  "crd-upgrade-fail-mode": {
    type: "string",
    value: "MODE",
    values: FAIL_MODES,
    text: "CRD updates that are neither proved safe nor shown unsafe: closed (default: treat as unsafe) or open",
  },
} as const satisfies OptionSpecs;

/** Undefined if the check is off. */
export function readUpgradeCheck(options: Options): Pick<ServerOptions, "definitionUpgrades"> {
  const mode = readChoice("crd-upgrade-check", options.text("crd-upgrade-check") ?? "off", MODES);
  const failMode = options.text("crd-upgrade-fail-mode");
  if (mode === "off") {
    if (failMode !== undefined) throw new UsageError("`--crd-upgrade-fail-mode` needs `--crd-upgrade-check`");
    return {};
  }
  return {
    definitionUpgrades: { mode, failMode: readChoice("crd-upgrade-fail-mode", failMode ?? "closed", FAIL_MODES) },
  };
}
