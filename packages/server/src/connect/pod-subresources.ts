/** The subresources of pods that are created and not stored, and the kind Binding. */
import { builtinResource } from "@portcullis/engine/internal/builtin/builtin";
import {
  type DecodeTyped,
  type GroupVersionKind,
  type ResourceKind,
  type Subresource,
  typedDecoder,
} from "@portcullis/engine/internal/review/kind";
import { builtInKind } from "@portcullis/engine/internal/review/kinds/built-in";
import { builtinFieldScope } from "@portcullis/engine/internal/review/kinds/built-in-owners";
import { isObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import type { ServerContext } from "../registry/context.ts";
import { bindPod } from "./binding.ts";
import { evictPod } from "./eviction.ts";

const EVICTION = { group: "policy", version: "v1", kind: "Eviction" };
const BINDING = { group: "", version: "v1", kind: "Binding" };

/** Adds them to the registry, which has pods already. */
export function addPodSubresources(server: ServerContext): void {
  const { registry, store } = server;
  const pods = registry.find("", "v1", "pods");
  if (pods === undefined) return;
  const target = { store, pods };
  const own: Readonly<Record<string, Subresource>> = {
    binding: created("binding", BINDING, (_, draft, context) => bindPod(draft, context.name, context, target)),
    eviction: {
      ...created("eviction", EVICTION, (_, draft, context) => evictPod(draft, context, server, pods)),
      decodeTyped: decodeEviction,
    },
  };
  const { fieldScope } = pods;
  registry.add({
    ...pods,
    subresources: new Map([...pods.subresources, ...Object.entries(own)]),
    fieldScope: (name) => SCOPES[name] ?? fieldScope?.(name),
  });
  const resource = builtinResource("", "v1", "bindings");
  if (resource === undefined) return;
  const kind: ResourceKind = builtInKind(resource);
  registry.add({
    ...kind,
    answerCreate: (draft, context) => bindPod(draft, metaText(draft, "name"), context, target),
  });
}

const decodeCurrentEviction = typedDecoder(EVICTION);

/** Clients may still send version v1beta1, which has the same fields. */
const decodeEviction: DecodeTyped = (body, fieldValidation) => {
  const { value } = body;
  const isBeta = isObject(value) && value["apiVersion"] === "policy/v1beta1";
  const current = isBeta ? { ...body, value: withMember(value, "apiVersion", "policy/v1") } : body;
  return decodeCurrentEviction(current, fieldValidation);
};

const SCOPES = { binding: scopeOf(BINDING, "binding"), eviction: scopeOf(EVICTION, "eviction") } as Readonly<
  Record<string, ReturnType<typeof builtinFieldScope>>
>;

function scopeOf(kind: GroupVersionKind, name: string) {
  return builtinFieldScope({ ...kind, resetFields: () => [], decodeFields: (value) => ({ value }) }, name);
}

function created(name: string, kind: GroupVersionKind, connect: NonNullable<Subresource["connect"]>): Subresource {
  const refuse = (): never => {
    throw new Error(`${name} is neither read nor changed`);
  };
  return {
    name,
    kind,
    verbs: ["create"],
    findsParent: true,
    connect,
    decodeTyped: typedDecoder(kind),
    view: refuse,
    decode: refuse,
    toParent: refuse,
    update: refuse,
  };
}
