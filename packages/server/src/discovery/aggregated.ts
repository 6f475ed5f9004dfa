/**
 * Aggregated discovery: the document of all kinds at once, as JSON and as protobuf.
 *
 * What it says of a kind is made once for each kind and kept, so that one new CRD among thousands costs one piece. The
 * pieces are put together in slices, once for all requests that come before the next change.
 */
import { answerItemJson, answerJson } from "@portcullis/engine/internal/builtin/answers/answer-json";
import { inEnvelope } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { WireWriter } from "@portcullis/engine/internal/builtin/protobuf/writer";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Pause } from "../endpoints/request-time.ts";
import type { Registry } from "../registry/registry.ts";
import { aggregatedGroup, aggregatedList, aggregatedResource } from "./documents.ts";
import { type ExtensionGroups, NO_EXTENSION_GROUPS, withExtensions } from "./extension-groups.ts";
import { type Group, groupOf, groupsOf } from "./groups.ts";
import { sha512 } from "./hash.ts";
import { discoveryMessage } from "./protobuf.ts";

export interface Aggregated {
  readonly json: string;
  /** Of the JSON, for both forms. */
  readonly etag: string;
}

/** Up to 1.32 the second one is served too, with the same content. */
export type AggregatedVersion = "v2" | "v2beta1";

const GROUP = "apidiscovery.k8s.io";
const RESOURCES = '"resources":[';
/** Where pieces go. Names have no quotes, so these are found where they belong only. */
const [NO_RESOURCES, NO_ITEMS] = ['"resources":[]', '"items":[]'];

export class AggregatedDiscovery {
  readonly #registry: Registry;
  readonly #newPause: () => Pause;
  readonly #texts = new WeakMap<ResourceKind, string>();
  readonly #messages = new WeakMap<ResourceKind, Uint8Array>();
  #made = { generation: "", documents: new Map<string, Promise<unknown>>() };

  readonly #extensions: ExtensionGroups;

  constructor(registry: Registry, newPause: () => Pause, extensions = NO_EXTENSION_GROUPS) {
    this.#registry = registry;
    this.#newPause = newPause;
    this.#extensions = extensions;
  }

  /** `/api` has the core group, `/apis` all others. */
  json(isCore: boolean): Promise<Aggregated> {
    return this.#once(`json ${isCore}`, async () => {
      const json = await this.#makeJson(this.#groups(isCore));
      return { json, etag: await sha512(json) };
    });
  }

  protobuf(isCore: boolean, version: AggregatedVersion): Promise<Uint8Array> {
    return this.#once(`protobuf ${isCore} ${version}`, () => this.#makeProtobuf(this.#groups(isCore), version));
  }

  #groups(isCore: boolean): readonly Group[] {
    if (isCore) return [groupOf(this.#registry, "")];
    return withExtensions(groupsOf(this.#registry), this.#extensions.versions());
  }

  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const generation = `${this.#registry.generation} ${this.#extensions.generation}`;
    if (this.#made.generation !== generation) this.#made = { generation, documents: new Map() };
    const { documents } = this.#made;
    const known = documents.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const made = make();
    documents.set(name, made);
    made.catch(() => documents.delete(name));
    return made;
  }

  /** INVARIANT: the same text as that of the whole document at once. */
  async #makeJson(groups: readonly Group[]): Promise<string> {
    const pause = this.#newPause();
    const items: string[] = [];
    for (const group of groups) {
      if (group.versions.some(({ document }) => document !== undefined)) items.push(groupText(group));
      else items.push(await this.#groupJson(group, pause));
    }
    const [start = "", end = ""] = answerJson(aggregatedList([])).split(NO_ITEMS);
    return `${start}"items":[${items.join(",")}]${end}\n`;
  }

  async #groupJson(group: Group, pause: Pause): Promise<string> {
    const versions = group.versions.map(({ version }) => ({ version, types: [] }));
    const frame = groupText({ name: group.name, versions }).split(NO_RESOURCES);
    let text = frame[0] ?? "";
    for (const [at, { types }] of group.versions.entries()) {
      const resources: string[] = [];
      for (const type of types) {
        resources.push(this.#textOf(type));
        const pausing = pause();
        if (pausing !== undefined) await pausing;
      }
      text += `"resources":[${resources.join(",")}]${frame[at + 1] ?? ""}`;
    }
    return text;
  }

  #textOf(type: ResourceKind): string {
    let text = this.#texts.get(type);
    if (text === undefined) {
      const whole = groupText({ name: type.group, versions: [{ version: type.version, types: [type] }] });
      text = whole.slice(whole.indexOf(RESOURCES) + RESOURCES.length, whole.lastIndexOf('],"freshness"'));
      this.#texts.set(type, text);
    }
    return text;
  }

  async #makeProtobuf(groups: readonly Group[], version: AggregatedVersion): Promise<Uint8Array> {
    const pause = this.#newPause();
    const list = new WireWriter();
    list.writeRaw(discoveryMessage("APIGroupDiscoveryList", aggregatedList([])));
    for (const group of groups) {
      const item = new WireWriter();
      item.writeRaw(discoveryMessage("Group", aggregatedGroup({ name: group.name, versions: [] })));
      for (const { version: served, types, document } of group.versions) {
        if (document !== undefined) {
          item.writeBytes(2, discoveryMessage("GroupVersion", document));
          continue;
        }
        const message = new WireWriter();
        message.writeText(1, served);
        for (const type of types) {
          message.writeBytes(2, this.#messageOf(type));
          const pausing = pause();
          if (pausing !== undefined) await pausing;
        }
        message.writeText(3, "Current");
        item.writeBytes(2, message.finish());
      }
      list.writeBytes(2, item.finish());
    }
    return inEnvelope(`${GROUP}/${version}`, "APIGroupDiscoveryList", list.finish());
  }

  #messageOf(type: ResourceKind): Uint8Array {
    let message = this.#messages.get(type);
    if (message === undefined) {
      message = discoveryMessage("GroupResource", aggregatedResource(type)).slice();
      this.#messages.set(type, message);
    }
    return message;
  }
}

function groupText(group: Group): string {
  return answerItemJson(aggregatedGroup(group), aggregatedList([]));
}
