/** Which of openshift/api's generated CRDs a suite is about, by the feature gates that it names. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";
import { UsageError } from "../../input/usage-error.ts";
import * as messages from "../../policy/messages.ts";

const PROFILE = "include.release.openshift.io/";
const FEATURE_SET = "release.openshift.io/feature-set";
const MAJOR_VERSION = "release.openshift.io/major-version";

/** A gate with `-` in front must be disabled. */
export function gatesOf(crd: JsonObject, gates: readonly string[], file: string): boolean {
  if (gates.length === 0) return true;
  const annotations = objectOf(metaOf(crd)["annotations"]);
  const sets = textOf(annotations[FEATURE_SET])
    .split(",")
    .filter((each) => each !== "");
  // This set has every field.
  if (sets.includes("CustomNoUpgrade")) return gates.every((gate) => !gate.startsWith("-"));
  const [profile] = Object.keys(annotations)
    .filter((key) => key.startsWith(PROFILE) && annotations[key] === "true")
    .sort();
  if (profile === undefined) return true;
  const wanted = { profile, sets: sets.length === 0 ? ["Default"] : sets, versions: versionsOf(annotations) };
  const status = statusOf(manifestsFor(file), wanted, file);
  return gates.every((gate) => {
    const isDisabled = gate.startsWith("-");
    const enabled = status.get(isDisabled ? gate.slice(1) : gate);
    if (enabled === undefined) throw new UsageError(messages.unsupportedFeature(file, gate, "no such feature gate"));
    return enabled !== isDisabled;
  });
}

interface Wanted {
  readonly profile: string;
  readonly sets: readonly string[];
  /** Empty for all. */
  readonly versions: ReadonlySet<string>;
}

function statusOf(manifests: readonly JsonObject[], wanted: Wanted, file: string): ReadonlyMap<string, boolean> {
  const found = manifests.find((manifest) => {
    const annotations = objectOf(metaOf(manifest)["annotations"]);
    const versions = versionsOf(annotations);
    return (
      annotations[wanted.profile] !== undefined &&
      wanted.sets.includes(textOf(annotations[FEATURE_SET])) &&
      (wanted.versions.size === 0 || [...versions].some((each) => wanted.versions.has(each)))
    );
  });
  if (found === undefined)
    throw new UsageError(messages.unsupportedFeature(file, wanted.profile, "no feature gates found"));
  const [gates = {}] = objectsOf(objectOf(found["status"])["featureGates"]);
  const names = (list: "enabled" | "disabled", value: boolean): [string, boolean][] =>
    objectsOf(gates[list]).map(({ name }) => [textOf(name), value]);
  return new Map([...names("enabled", true), ...names("disabled", false)]);
}

function versionsOf(annotations: JsonObject): ReadonlySet<string> {
  const [key] = Object.keys(annotations).filter((each) => each.startsWith(MAJOR_VERSION));
  const versions =
    key === undefined
      ? []
      : textOf(annotations[key])
          .split(",")
          .map((each) => each.trim());
  return new Set(versions.filter((each) => /^[0-9]+$/.test(each)));
}

const known = new Map<string, readonly JsonObject[]>();

/** The manifests are in a folder of the repository that the suite belongs to. */
function manifestsFor(file: string): readonly JsonObject[] {
  for (let folder = path.dirname(path.resolve(file)); ; folder = path.dirname(folder)) {
    const manifests = path.join(folder, "payload-manifests", "featuregates");
    if (statSync(manifests, { throwIfNoEntry: false })?.isDirectory() === true) return readManifests(manifests);
    if (path.dirname(folder) === folder) return [];
  }
}

function readManifests(folder: string): readonly JsonObject[] {
  const read =
    known.get(folder) ??
    readdirSync(folder)
      .sort()
      .flatMap((name) => {
        const decoded = decodeYaml(readFileSync(path.join(folder, name), "utf8"));
        return decoded.error === undefined && isObject(decoded.value) ? [decoded.value] : [];
      });
  known.set(folder, read);
  return read;
}
