/**
 * What expressions of one evaluation read.
 *
 * Variables are evaluated when first read, at most once, errors included; what they cost is charged to the expression
 * that was running. Names of variables are unescaped as if they were properties, so one that looks like an escape
 * (`a__dash__b`) compiles and is never found. Follows apiserver pkg/admission/plugin/cel/activation.go, composition.go
 * and pkg/cel/lazy.
 */
import { CelError, isError, noSuchOverload, OpaqueValue, type Value } from "@portcullis/cel/internal";
import { unescapeName } from "../kubecel/escaping.ts";
import { type Authorizer, AuthorizerValue, requestResourceCheck, type UserInfo } from "../kubecel/library/authz.ts";
import { type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { objectOf } from "../value/read.ts";
import { copyObject } from "../value/rewrite.ts";
import type { AdmissionAttributes, GroupVersionKind, GroupVersionResource } from "./attributes.ts";
import type { CompiledExpression } from "./compile.ts";
import { VARIABLES_TYPE } from "./environment.ts";
import * as messages from "./messages.ts";

/** The data of one evaluation. What has to be made first is made when an expression asks for it. */
export interface Inputs {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly params: JsonObject | undefined;
  readonly request: () => JsonObject;
  readonly namespaceObject: () => JsonObject | undefined;
  /** Undefined where expressions may name the authorizer but find nothing. */
  readonly authorizer: BoundAuthorizer | undefined;
}

export interface BoundAuthorizer {
  readonly authorizer: Authorizer;
  readonly attributes: AdmissionAttributes;
}

export interface VariableReading {
  readonly name: string;
  readonly value: Value;
  readonly cost: number;
}

export class Activation {
  readonly #inputs: Inputs;
  readonly #compiled: ReadonlyMap<string, CompiledExpression>;
  #variables: LazyVariables | undefined;
  #accumulated = 0;
  /** Variables that were read, in the order they were finished. */
  readonly readings: VariableReading[] = [];

  constructor(inputs: Inputs, variables: ReadonlyMap<string, CompiledExpression>) {
    this.#inputs = inputs;
    this.#compiled = variables;
  }

  /** Answers undefined for what is not bound. */
  readonly resolve = (name: string): unknown => {
    const inputs = this.#inputs;
    switch (name) {
      case "object":
        return inputs.object ?? null;
      case "oldObject":
        return inputs.oldObject ?? null;
      case "params":
        return inputs.params ?? null;
      case "request":
        return inputs.request();
      case "namespaceObject":
        return inputs.namespaceObject() ?? null;
      case "variables":
        return this.#lazyVariables();
      case "authorizer":
        return inputs.authorizer && authorizerValue(inputs.authorizer);
      case "authorizer.requestResource":
        return inputs.authorizer && requestResource(inputs.authorizer);
      default:
        return undefined;
    }
  };

  /** What variables have cost since the last call. */
  takeVariablesCost(): number {
    const cost = this.#accumulated;
    this.#accumulated = 0;
    return cost;
  }

  #lazyVariables(): LazyVariables {
    this.#variables ??= new LazyVariables(this.#compiled, (name, compiled) => this.#evaluateVariable(name, compiled));
    return this.#variables;
  }

  #evaluateVariable(name: string, compiled: CompiledExpression): Value {
    const { program, error } = compiled;
    if (program === undefined) return new CelError(messages.variableNotCompiled(name, error?.detail ?? ""));
    const { value, cost } = program.evaluate(this.resolve);
    this.#accumulated += cost;
    const result = isError(value) ? new CelError(messages.variableFailed(name, value.message)) : value;
    this.readings.push({ name, value: result, cost });
    return result;
  }
}

/**
 * `variables`: an object that finds out its fields when they are asked for. Testing for one evaluates it too, and an
 * error then is the answer.
 */
class LazyVariables extends OpaqueValue {
  readonly type = VARIABLES_TYPE;
  readonly #compiled: ReadonlyMap<string, CompiledExpression>;
  readonly #evaluate: (name: string, compiled: CompiledExpression) => Value;
  readonly #values = new Map<string, Value>();

  constructor(
    compiled: ReadonlyMap<string, CompiledExpression>,
    evaluate: (name: string, compiled: CompiledExpression) => Value,
  ) {
    super();
    this.#compiled = compiled;
    this.#evaluate = evaluate;
  }

  override field(escaped: string): Value | undefined {
    const name = unescapeName(escaped);
    const compiled = name === undefined ? undefined : this.#compiled.get(name);
    if (name === undefined || compiled === undefined) return undefined;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const value = this.#evaluate(name, compiled);
    this.#values.set(name, value);
    return value;
  }

  equalTo(other: Value): boolean | CelError {
    return other instanceof LazyVariables ? this === other : noSuchOverload();
  }
}

function authorizerValue({ authorizer, attributes }: BoundAuthorizer): Value {
  return new AuthorizerValue(attributes.userInfo, authorizer);
}

function requestResource({ authorizer, attributes }: BoundAuthorizer): Value {
  const { resource, subresource, namespace, name } = attributes;
  const request = { group: resource.group, resource: resource.resource, subresource, namespace, name };
  return requestResourceCheck(attributes.userInfo, authorizer, request);
}

/** What the policy's rules matched; the request itself may have been for another version. */
export interface MatchedAs {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/**
 * `request`: an AdmissionRequest as its JSON is. Empty texts are absent, so that reading them is an error; `uid`,
 * `object` and `oldObject` are there but not declared.
 */
export function requestObject(attributes: AdmissionAttributes, matched: MatchedAs): JsonObject {
  const { subresource } = attributes;
  const request = newObject();
  request["uid"] = "";
  request["kind"] = kindObject(matched.kind);
  request["resource"] = resourceObject(matched.resource);
  setText(request, "subResource", subresource);
  request["requestKind"] = kindObject(attributes.kind);
  request["requestResource"] = resourceObject(attributes.resource);
  setText(request, "requestSubResource", subresource);
  setText(request, "name", attributes.name);
  setText(request, "namespace", attributes.namespace);
  request["operation"] = attributes.operation;
  request["userInfo"] = userObject(attributes.userInfo);
  request["object"] = null;
  request["oldObject"] = null;
  request["dryRun"] = attributes.dryRun;
  request["options"] = attributes.options ?? null;
  return request;
}

function kindObject({ group, version, kind }: GroupVersionKind): JsonObject {
  return Object.assign(newObject(), { group, version, kind });
}

function resourceObject({ group, version, resource }: GroupVersionResource): JsonObject {
  return Object.assign(newObject(), { group, version, resource });
}

function userObject({ name, uid, groups, extra }: UserInfo): JsonObject {
  const user = newObject();
  setText(user, "username", name);
  setText(user, "uid", uid);
  if (groups.length > 0) user["groups"] = [...groups];
  if (extra.size > 0) {
    const values = newObject();
    for (const [key, texts] of extra) values[key] = [...texts];
    user["extra"] = values;
  }
  return user;
}

function setText(object: JsonObject, key: string, text: string): void {
  if (text !== "") object[key] = text;
}

const SHOWN_METADATA = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "finalizers",
] as const;

/** What `namespaceObject` shows of a namespace. */
export function namespaceView(namespace: JsonObject): JsonObject {
  const metadata = objectOf(namespace["metadata"]);
  const shown = newObject();
  for (const key of SHOWN_METADATA) {
    const member: JsonValue | undefined = metadata[key];
    if (member !== undefined) shown[key] = member;
  }
  return Object.assign(untypedNamespace(namespace), { metadata: shown });
}

/** A namespace as the server holds it: without kind and apiVersion, with spec and status. */
export function untypedNamespace(namespace: JsonObject): JsonObject {
  const view = copyObject(namespace);
  delete view["kind"];
  delete view["apiVersion"];
  view["spec"] ??= newObject();
  view["status"] ??= newObject();
  return view;
}
