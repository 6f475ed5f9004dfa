/**
 * kubeconform's schema locations, limited to local paths.
 *
 * A folder or a file is read for CRDs. A path with `{{ … }}` is filled in for each kind, as kubeconform does; the file
 * may be a CRD or a JSON schema made from one. URLs are not fetched: they mostly serve the built-in kinds, which are
 * known anyway.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { crdOfSchema } from "@portcullis/checker/internal/input/catalogue";
import { readInputs } from "@portcullis/checker/internal/input/documents";
import { readFile } from "@portcullis/checker/internal/input/text";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import type { JsonObject } from "@portcullis/engine/internal/value/json";

export interface SchemaSources {
  /** CRDs that are known from the start. */
  readonly definitions: readonly ManifestDocument[];
  readonly templates: readonly string[];
  /** Locations that were skipped. */
  readonly remote: readonly string[];
}

export function readLocations(locations: readonly string[]): SchemaSources {
  const others = locations.filter((each) => each !== "default");
  const remote = others.filter((each) => /^https?:/.test(each));
  const local = others.filter((each) => !/^https?:/.test(each));
  const templates = local.filter((each) => each.includes("{{"));
  const plain = local.filter((each) => !each.includes("{{") && existsSync(each));
  const layouts = plain.filter((each) => statSync(each).isDirectory()).map((each) => `${each}/${LAYOUT}`);
  return {
    definitions: readInputs(plain).documents.filter(isDefinition),
    templates: [...templates, ...layouts],
    remote,
  };
}

const LAYOUT =
  "{{ .NormalizedKubernetesVersion }}-standalone{{ .StrictSuffix }}/{{ .ResourceKind }}{{ .KindSuffix }}.json";

export interface TemplateOptions {
  readonly templates: readonly string[];
  readonly kubernetesVersion: string;
  readonly strict: boolean;
}

/** Finds CRDs in the files that the templates lead to. */
export function crdFinder(options: TemplateOptions): (apiVersion: string, kind: string) => JsonObject | undefined {
  return (apiVersion, kind) => {
    if (!apiVersion.includes("/")) return undefined;
    for (const template of options.templates) {
      const file = fillTemplate(template, apiVersion, kind, options);
      const [document] = existsSync(file) ? readFile(file, readFileSync(file, "utf8")).documents : [];
      if (document === undefined) continue;
      return isDefinition(document) ? document.object : crdOfSchema(document.object, apiVersion, kind);
    }
    return undefined;
  };
}

export function fillTemplate(
  template: string,
  apiVersion: string,
  kind: string,
  { kubernetesVersion, strict }: Pick<TemplateOptions, "kubernetesVersion" | "strict">,
): string {
  const [group = "", version] = apiVersion.split("/");
  const values: Readonly<Record<string, string>> = {
    NormalizedKubernetesVersion: kubernetesVersion === "master" ? "master" : `v${kubernetesVersion}`,
    StrictSuffix: strict ? "-strict" : "",
    ResourceKind: kind.toLowerCase(),
    ResourceAPIVersion: version ?? group,
    Group: group,
    KindSuffix: `-${(group.split(".")[0] ?? "").toLowerCase()}${version === undefined ? "" : `-${version.toLowerCase()}`}`,
  };
  return template.replaceAll(/\{\{-?\s*\.(\w+)\s*-?\}\}/g, (whole, name: string) => values[name] ?? whole);
}
