/** The request and its namespace as expressions see them, made once a request and only where something reads them. */
import type { JsonObject } from "../value/json.ts";
import { namespaceView, requestObject, untypedNamespace } from "./activation.ts";
import {
  type AdmissionAttributes,
  formatKind,
  formatResource,
  type GroupVersionKind,
  type GroupVersionResource,
} from "./attributes.ts";

export class RequestViews {
  readonly #attributes: AdmissionAttributes;
  /** The usual case: nothing but the request's own version is involved. */
  readonly #asRequested: () => JsonObject;
  #others: Map<string, () => JsonObject> | undefined;
  readonly #stored: () => JsonObject | undefined;
  /** `namespaceObject`; undefined for cluster-scoped objects and for namespaces themselves. */
  readonly namespace: () => JsonObject | undefined;
  readonly untrimmedNamespace: () => JsonObject | undefined;

  constructor(attributes: AdmissionAttributes, namespace: (name: string) => JsonObject | undefined) {
    this.#attributes = attributes;
    this.#asRequested = once(() => requestObject(attributes, attributes));
    this.#stored = once(() => (hasNamespace(attributes) ? namespace(attributes.namespace) : undefined));
    this.namespace = once(() => apply(this.#stored(), namespaceView));
    this.untrimmedNamespace = once(() => apply(this.#stored(), untypedNamespace));
  }

  isNamespaceMissing(): boolean {
    return hasNamespace(this.#attributes) && this.#stored() === undefined;
  }

  /** `request`, for an object that matched as the given resource and kind. */
  request(resource: GroupVersionResource, kind: GroupVersionKind): () => JsonObject {
    if (resource === this.#attributes.resource && kind === this.#attributes.kind) return this.#asRequested;
    this.#others ??= new Map();
    const key = `${formatResource(resource)} ${formatKind(kind)}`;
    let view = this.#others.get(key);
    if (view === undefined) {
      view = once(() => requestObject(this.#attributes, { resource, kind }));
      this.#others.set(key, view);
    }
    return view;
  }
}

function hasNamespace({ namespace, kind }: AdmissionAttributes): boolean {
  const isNamespace = kind.group === "" && kind.version === "v1" && kind.kind === "Namespace";
  return namespace !== "" && !isNamespace;
}

function apply(object: JsonObject | undefined, view: (object: JsonObject) => JsonObject): JsonObject | undefined {
  return object && view(object);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
