/** Options of `check` about admission that is not by policies. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import {
  DEFAULT_CONFIGURATION,
  type PodSecurityConfiguration,
} from "@portcullis/engine/internal/podsecurity/configuration";
import { LEVELS, parseLevel, parseVersion } from "@portcullis/engine/internal/podsecurity/level";
import type { OptionSpecs } from "../frame/option-spec.ts";
import { type Options, readChoice } from "../frame/options.ts";

const GROUP = "the API server";
const SHOWN = ["webhooks"] as const;

export const ADMISSION_OPTIONS = {
  "pod-security": {
    type: "string",
    value: "LEVEL[:VERSION]",
    values: LEVELS,
    group: GROUP,
    text: "the Pod Security level of namespaces without labels: privileged (default), baseline or restricted",
  },
  show: {
    type: "string",
    multiple: true,
    value: "WHAT",
    values: SHOWN,
    group: GROUP,
    text: "webhooks: also report which admission webhooks would be asked, by the configurations among the inputs",
  },
} as const satisfies OptionSpecs;

export function showsWebhooks(options: Options): boolean {
  return options
    .texts("show")
    .map((each) => readChoice("show", each, SHOWN))
    .includes("webhooks");
}

/** Pods are denied, and templates are warned of. */
export function readPodSecurity(text = "privileged"): PodSecurityConfiguration {
  const [, levelText = "", versionText = "latest"] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
  const [level, version] = [parseLevel(levelText), parseVersion(versionText)];
  if (level === undefined || version === undefined) {
    throw new UsageError(`\`--pod-security ${text}\` is not a level with or without a version, such as baseline:v1.30`);
  }
  const policy = { level, version };
  return { ...DEFAULT_CONFIGURATION, defaults: { enforce: policy, audit: policy, warn: policy } };
}
