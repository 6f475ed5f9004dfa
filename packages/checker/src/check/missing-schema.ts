/** Reports an object of an unknown kind: what may have been meant, and how to supply the CRD. */
import { resourceInfos } from "@portcullis/engine/internal/builtin/resources";
import { nearest } from "../input/suggest.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";

export type MissingSchemaMode = "error" | "warn" | "ignore";
export const MISSING_SCHEMA_MODES = ["error", "warn", "ignore"] as const satisfies readonly MissingSchemaMode[];

/** `defined` are the kinds of the CRDs among the inputs, as `apiVersion kind`. */
export function missingSchema(
  document: ManifestDocument,
  mode: MissingSchemaMode,
  defined: readonly string[],
): Finding[] {
  if (mode === "ignore") return [];
  const { apiVersion, kind } = document.id;
  return [
    findingAt(document, {
      rule: "schema/not-found",
      severity: mode === "error" ? "error" : "warning",
      path: "kind",
      message: `no schema for ${kind || "an unnamed kind"} in ${apiVersion || "an unnamed version"}`,
      hint: meant(apiVersion, kind, defined) ?? SUPPLY,
    }),
  ];
}

const SUPPLY = "add the file or folder with its CRD as another PATH";

let builtIn: readonly string[] | undefined;

function meant(apiVersion: string, kind: string, defined: readonly string[]): string | undefined {
  builtIn ??= resourceInfos().map((info) => `${info.group === "" ? "" : `${info.group}/`}${info.version} ${info.kind}`);
  const all = [...defined, ...builtIn];
  const sameKind = all.filter((each) => each.endsWith(` ${kind}`));
  const group = groupOf(apiVersion);
  const sameGroup = sameKind.filter((each) => groupOf(each) === group);
  if (sameGroup.length > 0) return `${kind} is served in ${versionsOf(sameGroup)}`;
  if (sameKind.length > 0 && isBuiltInGroup(group)) return `${kind} is served in ${versionsOf(sameKind)}`;
  const near = nearest(kind, new Set(all.filter((each) => each.startsWith(`${apiVersion} `)).map(kindOf)));
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}

function isBuiltInGroup(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}

function groupOf(text: string): string {
  const [apiVersion = ""] = text.split(" ");
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

function kindOf(text: string): string {
  return text.slice(text.indexOf(" ") + 1);
}

function versionsOf(texts: readonly string[]): string {
  return texts.map((text) => `\`${text.split(" ")[0]}\``).join(", ");
}
