/** Options of `check` about the cluster: admission that is not by policies, and assumptions. */
import { type ClusterAssumptions, IP_FAMILIES } from "@portcullis/checker/internal/check/assumptions";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import {
  DEFAULT_CONFIGURATION,
  type PodSecurityConfiguration,
} from "@portcullis/engine/internal/podsecurity/configuration";
import { LEVELS, parseLevel, parseVersion } from "@portcullis/engine/internal/podsecurity/level";
import type { OptionSpecs } from "../frame/option-spec.ts";
import { type Options, readChoice } from "../frame/options.ts";

const GROUP = "the API server";
const BOOLEANS = ["true", "false"] as const;
const SHOWN = ["webhooks", "all"] as const;

export const ADMISSION_OPTIONS = {
  "ip-families": {
    type: "string",
    value: "FAMILIES",
    values: IP_FAMILIES,
    group: GROUP,
    text: "the IP families of the cluster's Services: ipv4 (default for files that you name), ipv6, ipv4,ipv6 for dual-stack, or any (default in folders)",
  },
  "allow-privileged": {
    type: "string",
    value: "BOOL",
    values: BOOLEANS,
    group: GROUP,
    text: "whether the cluster allows privileged containers: true (default) or false",
  },
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
    text: "all: show equal findings and skipped files one by one; webhooks: also report which of the admission webhooks among the inputs would be called",
  },
} as const satisfies OptionSpecs;

export function readAssumptions(options: Options): ClusterAssumptions {
  const families = options.text("ip-families");
  return {
    ipFamilies: families === undefined ? undefined : readChoice("ip-families", families, IP_FAMILIES),
    allowsPrivileged: readChoice("allow-privileged", options.text("allow-privileged") ?? "true", BOOLEANS) === "true",
  };
}

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
