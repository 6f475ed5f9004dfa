/** What differs between two versions of Kubernetes: kinds, fields, feature gates, CEL functions and behaviour. */
import { functionReferences } from "@portcullis/cel";
import { allStructs, kindsUsing } from "@portcullis/engine/internal/builtin/compare/struct-fields";
import { resourceInfos } from "@portcullis/engine/internal/builtin/resources";
import { type GateState, gateNames, gateState } from "@portcullis/engine/internal/value/gates";
import { asVersion, type KubernetesVersion, minorOf } from "@portcullis/engine/internal/value/server-version";
import { compatibilityVersion, kubernetesEnvironment } from "@portcullis/engine/kubecel";
import { BEHAVIOURS, type Behaviour } from "./behaviours.ts";

export interface VersionsDiff {
  readonly from: KubernetesVersion;
  readonly to: KubernetesVersion;
  /** `apps/v1 Deployment`, and `apps/v1 Deployment/scale` for subresources. */
  readonly apis: Change;
  /** `v1.PodSpec.resources`, with the kinds that contain the type. */
  readonly fields: { readonly added: readonly ChangedField[]; readonly removed: readonly ChangedField[] };
  readonly gates: readonly ChangedGate[];
  /** Names of CEL functions for new expressions. */
  readonly functions: Change;
  readonly behaviours: readonly Behaviour[];
}

export interface Change {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface ChangedField {
  readonly field: string;
  readonly kinds: readonly string[];
}

export interface ChangedGate {
  readonly name: string;
  readonly from: GateState | undefined;
  readonly to: GateState | undefined;
}

/** The changes that an upgrade from one version to the other brings. */
export function diffVersions(from: KubernetesVersion, to: KubernetesVersion): VersionsDiff {
  return {
    from,
    to,
    apis: changeOf(asVersion(from, apiNames), asVersion(to, apiNames)),
    fields: changedFields(from, to),
    gates: changedGates(minorOf(from), minorOf(to)),
    functions: changeOf(functionNames(from), functionNames(to)),
    behaviours: behavioursBetween(minorOf(from), minorOf(to)),
  };
}

/** What only the newer of the two versions does, whichever it is. */
function behavioursBetween(one: number, other: number): readonly Behaviour[] {
  const [older, newer] = [Math.min(one, other), Math.max(one, other)];
  return BEHAVIOURS.filter(({ since }) => minorOf(since) > older && minorOf(since) <= newer);
}

function apiNames(): string[] {
  return resourceInfos().flatMap(({ group, version, kind, subresources }) => {
    const name = `${group === "" ? version : `${group}/${version}`} ${kind}`;
    return [name, ...subresources.map((sub) => `${name}/${sub.name}`)];
  });
}

function changeOf(before: readonly string[], after: readonly string[]): Change {
  const [old, next] = [new Set(before), new Set(after)];
  return { added: after.filter((name) => !old.has(name)), removed: before.filter((name) => !next.has(name)) };
}

/** Fields of types that both versions have; what new kinds contain goes without saying. */
function changedFields(from: KubernetesVersion, to: KubernetesVersion): VersionsDiff["fields"] {
  const [before, after] = [asVersion(from, allStructs), asVersion(to, allStructs)];
  const missing = (one: typeof before, other: typeof before, version: KubernetesVersion): ChangedField[] =>
    [...one].flatMap(([line, { go, names }]) => {
      const known = other.get(line);
      if (known === undefined) return [];
      const fresh = names.filter((name) => !known.names.includes(name));
      const kinds = fresh.length === 0 ? [] : asVersion(version, () => kindsUsing(line));
      return fresh.map((name) => ({ field: `${go}.${name}`, kinds }));
    });
  return { added: missing(after, before, to), removed: missing(before, after, from) };
}

function changedGates(from: number, to: number): ChangedGate[] {
  const names = [...new Set([...gateNames(from), ...gateNames(to)])].sort();
  return names.flatMap((name) => {
    const [before, after] = [gateState(name, from), gateState(name, to)];
    const isSame = before?.stage === after?.stage && before?.isOn === after?.isOn;
    return isSame ? [] : [{ name, from: before, to: after }];
  });
}

function functionNames(server: KubernetesVersion): string[] {
  const version = compatibilityVersion(server);
  const environment = kubernetesEnvironment({ version, serverVersion: server, mode: "new" });
  return [...new Set(functionReferences(environment).map(({ name }) => name))];
}
