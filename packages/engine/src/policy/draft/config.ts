/** The configuration a policy of the early shape reads: its kind, and the objects of that kind at hand. */
import { isObject, type JsonObject } from "../../value/json.ts";
import { objectOf, textOf } from "../../value/read.ts";
import type { Report } from "./findings.ts";
import * as findings from "./findings.ts";

/** The kind of configuration, and the objects of that kind. */
export interface Config {
  readonly apiVersion: string;
  readonly kind: string;
  readonly objects: readonly JsonObject[];
}

export function findConfig(
  spec: JsonObject,
  isRead: boolean,
  { others, report }: { readonly others: readonly JsonObject[]; readonly report: Report },
): Config | undefined {
  const isSingleton = spec["policyType"] === "Singleton" || spec["singletonPolicy"] === true;
  const named = spec["config"];
  if (isSingleton) {
    if (isObject(named)) report("warning", "spec.config", findings.singletonWithConfig());
    return undefined;
  }
  if (isObject(named)) return configOfKind(apiVersionOf(named), textOf(named["kind"]), others);
  if (!isRead) {
    report("warning", "spec", findings.noConfigNoSingleton());
    return undefined;
  }
  return inferConfig(others, report);
}

export function apiVersionOf(config: JsonObject): string {
  const [group, version] = [textOf(config["group"]), textOf(config["version"])];
  return textOf(config["apiVersion"]) || (group === "" ? version : `${group}/${version}`);
}

function configOfKind(apiVersion: string, kind: string, others: readonly JsonObject[]): Config {
  return {
    apiVersion,
    kind,
    objects: others.filter((each) => each["apiVersion"] === apiVersion && each["kind"] === kind),
  };
}

/** Where only one kind at hand can be meant, it is. */
function inferConfig(others: readonly JsonObject[], report: Report): Config | undefined {
  const candidates = others.filter(({ apiVersion }) => {
    const text = textOf(apiVersion);
    return text.includes(".") && !/^(admissionregistration|apiextensions|rbac\.authorization)\.k8s\.io\//.test(text);
  });
  const kinds = new Set(candidates.map(({ apiVersion, kind }) => `${textOf(apiVersion)} ${textOf(kind)}`));
  const [only] = candidates;
  if (kinds.size !== 1 || only === undefined) {
    report("error", "spec.config", findings.configUnknown());
    return undefined;
  }
  report("warning", "spec.config", findings.configInferred(textOf(only["kind"])));
  return configOfKind(textOf(only["apiVersion"]), textOf(only["kind"]), others);
}

/** Whether the values are in the objects themselves rather than in their spec. */
export function isFlat({ objects }: Config): boolean {
  return objects.length > 0 && objects.every(({ spec }) => !isObject(spec));
}

export function checkConfigReads(reads: ReadonlySet<string>, config: Config | undefined, report: Report): void {
  for (const object of config?.objects ?? []) {
    const values = isObject(object["spec"]) ? object["spec"] : object;
    const name = `${textOf(object["kind"])} \`${textOf(objectOf(object["metadata"])["name"])}\``;
    for (const field of reads) {
      if (field !== "" && values[field] === undefined)
        report("warning", "spec.validations", findings.configField(field, name));
    }
  }
}
