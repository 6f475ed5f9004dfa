/**
 * `--runtime-config` of kube-apiserver: which APIs are served. Follows apiserver pkg/server/options/api_enablement.go and
 * pkg/server/resourceconfig. Beta and alpha versions of kinds with a stable version can be turned on; others are not
 * served here.
 */
import { builtinResources, earlyResources } from "@portcullis/engine/internal/builtin/builtin";
import { isServedByDefault } from "@portcullis/engine/internal/builtin/early-versions";
import {
  boundToServer,
  type KubernetesVersion,
  SERVER_VERSION,
} from "@portcullis/engine/internal/value/server-version";
import { parseBool } from "@portcullis/gostd/strconv";
import type { ServerOptions } from "@portcullis/server";

export interface RuntimeConfig {
  readonly servesResource: NonNullable<ServerOptions["servesResource"]>;
  /** Keys that turn on what is not served here. */
  readonly ignored: readonly string[];
}

const SELECTORS = ["api/all", "api/ga", "api/beta", "api/alpha", "api/legacy"];

/** Pairs such as `apps/v1=false`. Throws an Error with upstream's message. */
export function readRuntimeConfig(
  pairs: readonly string[],
  serverVersion: KubernetesVersion = SERVER_VERSION,
): RuntimeConfig {
  const values = new Map(pairs.filter((pair) => pair.trim() !== "").map(readPair));
  checkKeys([...values.keys()]);
  const isDefault = boundToServer({ version: serverVersion }, isServedByDefault);
  const servesResource: RuntimeConfig["servesResource"] = (group, version, plural) => {
    const groupVersion = group === "" ? version : `${group}/${version}`;
    const keys = [`${groupVersion}/${plural}`, groupVersion, `api/${stabilityOf(version)}`, "api/all"];
    return keys.map((key) => values.get(key)).find((value) => value !== undefined) ?? isDefault(group, version);
  };
  const isKnown = boundToServer({ version: serverVersion }, isServed);
  const ignored = [...values].filter(([key, isOn]) => isOn && !isKnown(key)).map(([key]) => key);
  return { servesResource, ignored };
}

function readPair(pair: string): [key: string, value: boolean] {
  const [key = "", value] = pair.trim().split(/=(.*)/s);
  if (value === undefined || value === "") return [key, true];
  const parsed = parseBool(value);
  if (parsed.error !== undefined) throw new Error(`invalid value ${key}=${value}`);
  return [key, parsed.value];
}

function checkKeys(keys: readonly string[]): void {
  const groups = new Set([...builtinResources().map(({ group }) => group), ...OTHER_GROUPS]);
  const others = keys.filter((key) => !SELECTORS.includes(key) && key !== "v1");
  const malformed = others.find((key) => !key.includes("/"));
  if (malformed !== undefined) throw new Error(`runtime-config invalid key ${malformed}`);
  const unknown = others.filter((key) => !groups.has(key.split("/")[0] ?? ""));
  if (unknown.length > 0) throw new Error(`unknown api groups ${unknown.join(",")}`);
}

/** Groups that upstream has and that have nothing that is served here. */
const OTHER_GROUPS = ["apiregistration.k8s.io", "internal.apiserver.k8s.io", "storagemigration.k8s.io", "api"];

function isServed(key: string): boolean {
  return (
    SELECTORS.includes(key) ||
    [...builtinResources(), ...earlyResources()].some(({ group, version, plural }) => {
      const groupVersion = group === "" ? version : `${group}/${version}`;
      return key === groupVersion || key === `${groupVersion}/${plural}`;
    })
  );
}

function stabilityOf(version: string): "alpha" | "beta" | "ga" {
  if (version.includes("alpha")) return "alpha";
  return version.includes("beta") ? "beta" : "ga";
}
