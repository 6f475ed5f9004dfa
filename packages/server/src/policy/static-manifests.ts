/**
 * Policies and webhooks from files. They are read before the first request and again when the files change; a file with
 * an error leaves the last good state in force.
 *
 * Follows apiserver pkg/admission/plugin/{manifest,policy/manifest,webhook/manifest}.
 */
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { POLICY_GROUP } from "@portcullis/engine/internal/policy/objects/decode";
import { apiVersionOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { review } from "@portcullis/engine/internal/review/review";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import type { ServerContext } from "../registry/context.ts";
import * as messages from "./static-messages.ts";

/** An admission plugin whose objects can come from files. For example `ValidatingAdmissionPolicy`. */
export type StaticPlugin =
  | "ValidatingAdmissionPolicy"
  | "MutatingAdmissionPolicy"
  | "ValidatingAdmissionWebhook"
  | "MutatingAdmissionWebhook";

/** The text of one file. For example `{ path: "/policies/a.yaml", text: "kind: …" }`. */
export interface ManifestFile {
  readonly path: string;
  readonly text: string;
}

/** The manifests of one plugin. */
export interface StaticManifests {
  readonly plugin: StaticPlugin;
  readonly directory: string;
  /** All files, by name. Throws an Error if they cannot be read. */
  readonly read: () => readonly ManifestFile[];
  /** Calls when they may have changed; the returned function ends that. */
  readonly watch: (changed: () => void) => () => void;
}

export interface StaticObjects {
  /** Policies, or webhook configurations. */
  readonly main: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
}

interface PluginKinds {
  readonly main: string;
  readonly binding: string | undefined;
  /** How messages name what is loaded. */
  readonly noun: string;
}

const KINDS: Readonly<Record<StaticPlugin, PluginKinds>> = {
  ValidatingAdmissionPolicy: policyKinds("ValidatingAdmissionPolicy"),
  MutatingAdmissionPolicy: policyKinds("MutatingAdmissionPolicy"),
  ValidatingAdmissionWebhook: { main: "ValidatingWebhookConfiguration", binding: undefined, noun: "webhook" },
  MutatingAdmissionWebhook: { main: "MutatingWebhookConfiguration", binding: undefined, noun: "webhook" },
};

function policyKinds(main: string): PluginKinds {
  return { main, binding: `${main}Binding`, noun: "policy" };
}

/** The kinds are those of a server without static manifests, where the reserved names are accepted. */
export async function loadStatic(
  { plugin, directory, read }: StaticManifests,
  server: ServerContext,
  kinds: readonly ResourceKind[],
): Promise<StaticObjects> {
  const loading = new Loading(plugin, server, kinds);
  try {
    for (const file of read()) await loading.addFile(file);
    return loading.finish();
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(messages.notLoaded(plugin, KINDS[plugin].noun, directory, problem));
  }
}

class Loading {
  readonly #plugin: StaticPlugin;
  readonly #server: ServerContext;
  readonly #kinds: readonly ResourceKind[];
  readonly #main: JsonObject[] = [];
  readonly #bindings: JsonObject[] = [];
  /** The file of each name, by kind. */
  readonly #files = new Map<string, string>();

  constructor(plugin: StaticPlugin, server: ServerContext, kinds: readonly ResourceKind[]) {
    this.#plugin = plugin;
    this.#server = server;
    this.#kinds = kinds;
  }

  async addFile({ path, text }: ManifestFile): Promise<void> {
    try {
      for (const document of splitDocuments(text)) await this.#add(parse(document), path);
    } catch (error) {
      throw new Error(messages.badFile(path, error instanceof Error ? error.message : String(error)));
    }
  }

  finish(): StaticObjects {
    const policies = new Set(this.#main.map((object) => metaText(object, "name")));
    for (const binding of this.#bindings) {
      const policy = policyNameOf(binding);
      if (!policies.has(policy)) throw new Error(messages.noSuchPolicy(metaText(binding, "name"), policy));
    }
    return { main: this.#main, bindings: this.#bindings };
  }

  async #add(value: JsonValue, path: string): Promise<void> {
    if (!isObject(value)) throw new Error(messages.notAnObject());
    const kind = textOf(value["kind"]);
    if (kind.endsWith("List") && isArray(value["items"])) {
      for (const item of value["items"]) await this.#add(withListKind(item, value), path);
      return;
    }
    const { main, binding } = KINDS[this.#plugin];
    const type = this.#typeOf(value);
    if (kind !== main && kind !== binding) throw new Error(messages.unsupportedType(kind));
    const object = await this.#accept(value, type);
    this.#checkName(object, kind, path);
    checkConstraints(object, kind, path);
    (kind === main ? this.#main : this.#bindings).push(object);
  }

  #typeOf(value: JsonObject): ResourceKind {
    const [kind, apiVersion] = [textOf(value["kind"]), textOf(value["apiVersion"])];
    const found = this.#kinds.find(
      (type) => type.group === POLICY_GROUP && type.kind === kind && apiVersionOf(type) === apiVersion,
    );
    if (found === undefined) throw new Error(messages.notRegistered(kind, apiVersion));
    return found;
  }

  /** With defaults. Throws an Error with all that is wrong. */
  async #accept(value: JsonObject, type: ResourceKind): Promise<JsonObject> {
    const { object, refusal } = await review(
      {
        verb: "create",
        endpoint: { type, subresource: undefined },
        namespace: "",
        name: "",
        content: { bytes: encodeUtf8(canonicalJson(value)), format: "json" },
        user: { name: "system:apiserver", uid: "", groups: [], extra: new Map() },
        manager: "",
        fieldValidation: "Strict",
        isDryRun: true,
        options: newObject(),
      },
      { ...this.#server, admission: [] },
    );
    if (object !== undefined && refusal === undefined) return object;
    const problem = (refusal?.message ?? "").replace(/^\S+ "[^"]*" is invalid: /, "");
    throw new Error(messages.invalidObject(type.kind, metaText(value, "name"), problem));
  }

  #checkName(object: JsonObject, kind: string, path: string): void {
    const name = metaText(object, "name");
    if (!name.endsWith(messages.STATIC_SUFFIX)) throw new Error(messages.badName(name, path));
    const before = this.#files.get(`${kind}/${name}`);
    if (before !== undefined) throw new Error(messages.duplicateName(name, path, before));
    this.#files.set(`${kind}/${name}`, path);
  }
}

function checkConstraints(object: JsonObject, kind: string, path: string): void {
  const name = metaText(object, "name");
  const spec = isObject(object["spec"]) ? object["spec"] : newObject();
  if (kind.endsWith("Binding")) {
    const policy = policyNameOf(object);
    if (!policy.endsWith(messages.STATIC_SUFFIX)) throw new Error(messages.badPolicyName(name, policy));
    if (spec["paramRef"] !== undefined) throw new Error(messages.noParamRef(name));
  } else if (spec["paramKind"] !== undefined) throw new Error(messages.noParamKind(kind, name));
  for (const webhook of isArray(object["webhooks"]) ? object["webhooks"].filter(isObject) : []) {
    const client = isObject(webhook["clientConfig"]) ? webhook["clientConfig"] : newObject();
    const place = [textOf(webhook["name"]), name, path] as const;
    if (client["service"] !== undefined) throw new Error(messages.noService(...place));
    if (textOf(client["url"]) === "") throw new Error(messages.urlNeeded(...place));
  }
}

function policyNameOf(binding: JsonObject): string {
  return isObject(binding["spec"]) ? textOf(binding["spec"]["policyName"]) : "";
}

/** Items of a typed list do not have to name their kind. */
function withListKind(item: JsonValue, list: JsonObject): JsonValue {
  const kind = textOf(list["kind"]).slice(0, -"List".length);
  if (!isObject(item) || kind === "" || item["kind"] !== undefined) return item;
  return Object.assign(newObject(), item, { kind, apiVersion: list["apiVersion"] });
}

function splitDocuments(text: string): string[] {
  return text.split(/^---[^\S\n]*(?:\n|$)/m).filter((part) => part.trim() !== "");
}

function parse(document: string): JsonValue {
  const decoded = decodeYaml(document);
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return decoded.value;
}
