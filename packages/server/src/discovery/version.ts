/** What the server says about itself. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";

/** The same as labels of a metric, under upstream's names. */
export function buildLabels(version: string): Readonly<Record<string, string>> {
  const known = versionDocument(version);
  const names = [
    "major",
    "minor",
    "gitVersion",
    "gitCommit",
    "gitTreeState",
    "buildDate",
    "goVersion",
    "compiler",
    "platform",
  ];
  const label = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(names.map((name) => [label(name), String(known[name])]));
}

/** What is emulated, as labels of a metric. */
export function compatibilityLabels(version: string): Readonly<Record<string, string>> {
  const [major = "1", minor = "0"] = version.split(".");
  const [binary, emulation, min_compat] = [`${version}.0`, version, `${major}.${Number(minor) - 1}`];
  return { binary, component: "kube", emulation, min_compat };
}

/** `version` is the Kubernetes version whose behaviour is served, such as "1.36". */
export function versionDocument(version: string): JsonObject {
  const [major = "1", minor = "0"] = version.split(".");
  return objectOf({
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.0+portcullis`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "none",
    compiler: "none",
    platform: "any/any",
  });
}
