/** The built-in resources as discovery lists them. */
import { isEnabled } from "../value/gates.ts";
import { currentMinor } from "../value/server-version.ts";
import { RESOURCES } from "./generated/kinds.ts";
import { isWithin } from "./types.ts";

export interface ResourceInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceInfo[];
}

export interface SubresourceInfo {
  readonly name: string;
  /** The kind that is read and written there. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** The group and version of a kind that is served, such as `apps/v1`; `v1` is the core group. */
export type ApiVersion = KeyParts<Served>["version"];

/** The names of the kinds of one version. */
export type KindName<Version extends ApiVersion> = Extract<KeyParts<Served>, { version: Version }>["kind"];

/** Every kind that is served, such as `apps/v1/Deployment` and `v1/Pod`. */
export type KindKey = KeyParts<Served>["key"];

type Served = (typeof RESOURCES)[number];

type KeyParts<Line extends string> = Line extends `${infer Group}|${infer Version}|${infer Kind}|${string}`
  ? {
      version: `${GroupPrefix<Group>}${Version}`;
      kind: Kind;
      key: `${GroupPrefix<Group>}${Version}/${Kind}`;
    }
  : never;

type GroupPrefix<Group extends string> = Group extends "" ? "" : `${Group}/`;

/** Subresources that are served only if a feature is on. */
const GATED_SUBRESOURCES: ReadonlyMap<string, string> = new Map([["pods/resize", "InPlacePodVerticalScaling"]]);

const infosByServer = new Map<string, readonly ResourceInfo[]>();

/** Those of the version whose rules apply, in the order of discovery: the core group, then others by priority. */
export function resourceInfos(): readonly ResourceInfo[] {
  const minor = currentMinor();
  const key = `${minor} ${[...GATED_SUBRESOURCES.values()].map(isEnabled)}`;
  const known = infosByServer.get(key);
  if (known !== undefined) return known;
  const infos = RESOURCES.flatMap((line) => parseResource(line, minor));
  infosByServer.set(key, infos);
  return infos;
}

function parseResource(line: string, minor: number): ResourceInfo[] {
  const [first = "", ...subresources] = line.split(";");
  const [group = "", version = "", kind = "", plural = "", singular = "", ...rest] = first.split("|");
  const [scope, shortNames, categories, verbs, range] = rest;
  if (!isWithin(range, minor)) return [];
  const info = {
    group,
    version,
    kind,
    plural,
    singular,
    namespaced: scope === "N",
    shortNames: splitList(shortNames, ","),
    categories: splitList(categories, ","),
    verbs: splitList(verbs, " "),
    subresources: subresources
      .flatMap((text) => parseSubresource(text, minor))
      .filter((each) => isServed(plural, each)),
  };
  return [info];
}

function isServed(plural: string, { name }: SubresourceInfo): boolean {
  const gate = GATED_SUBRESOURCES.get(`${plural}/${name}`);
  return gate === undefined || isEnabled(gate);
}

function parseSubresource(text: string, minor: number): SubresourceInfo[] {
  const [name = "", gvk = "", verbs, range] = text.split("|");
  if (!isWithin(range, minor)) return [];
  const [group = "", version = "", kind = ""] = gvk.split("/");
  return [{ name, group, version, kind, verbs: splitList(verbs, " ") }];
}

function splitList(text: string | undefined, separator: string): string[] {
  return text === undefined || text === "" ? [] : text.split(separator);
}
