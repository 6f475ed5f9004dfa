/**
 * Which flow a request belongs to: the first flow schema, by precedence and then by name, that has a rule matching the
 * user and the request.
 *
 * Follows apiserver pkg/util/flowcontrol/{rule,apf_controller}.go. Schemas are compiled once; the rules that match a
 * user are cached per user.
 */

import type { User } from "@portcullis/engine/internal/rbac/user";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import type { HeaderList } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { Tally } from "../observe/flow/flow-metrics.ts";

const LONG_RUNNING: ReadonlySet<string> = new Set(["attach", "exec", "proxy", "log", "portforward"]);

/** Whether a request, which is not a watch, takes as long as its client wants. */
export function isLongRunning({ subresource }: RequestInfo): boolean {
  return LONG_RUNNING.has(subresource);
}

/** The classification of a request. */
export interface Flow {
  readonly schema: string;
  readonly level: string;
  /** Distinguishes flows of one schema: by the user, the namespace, or nothing. */
  readonly distinguish: (info: RequestInfo, user: User) => string;
  /** The response headers that name it. */
  readonly headers: HeaderList;
  readonly tally: Tally;
}

type Matcher<T> = (value: T) => boolean;

interface Rule {
  readonly isFor: Matcher<User>;
  readonly isAbout: Matcher<RequestInfo>;
}

interface FlowRule {
  readonly flow: Flow;
  readonly rule: Rule;
}

const CATCH_ALL = "catch-all";

/** The caller leaves out schemas whose level does not exist. */
export interface ClassifiableSchema {
  readonly schema: JsonObject;
  readonly level: JsonObject;
}

export class FlowClassifier {
  readonly #rules: readonly FlowRule[];
  readonly #fallback: Flow;
  readonly #byUser = new WeakMap<User, readonly FlowRule[]>();

  /** One of the schemas must be the catch-all. */
  constructor(schemas: readonly ClassifiableSchema[], tallyOf: (schema: string, level: string) => Tally) {
    const sorted = [...schemas].sort(byPrecedence);
    const flows = sorted.map((each) => ({ flow: flowOf(each, tallyOf), schema: each.schema }));
    this.#rules = flows.flatMap(({ flow, schema }) => compiledRules(schema).map((rule) => ({ flow, rule })));
    const fallback = flows.find(({ flow }) => flow.schema === CATCH_ALL);
    if (fallback === undefined) throw new Error("there is no flow schema that catches all");
    this.#fallback = fallback.flow;
  }

  classify(info: RequestInfo, user: User): Flow {
    for (const { rule, flow } of this.#rulesFor(user)) if (rule.isAbout(info)) return flow;
    return this.#fallback;
  }

  #rulesFor(user: User): readonly FlowRule[] {
    let rules = this.#byUser.get(user);
    if (rules === undefined) {
      rules = this.#rules.filter(({ rule }) => rule.isFor(user));
      this.#byUser.set(user, rules);
    }
    return rules;
  }
}

/** Lower numbers come first; mandatory schemas are not special. */
function byPrecedence({ schema: a }: ClassifiableSchema, { schema: b }: ClassifiableSchema): number {
  const difference = precedenceOf(a) - precedenceOf(b);
  if (difference !== 0) return difference;
  return metaText(a, "name") < metaText(b, "name") ? -1 : 1;
}

function precedenceOf(schema: JsonObject): number {
  const precedence = specOf(schema)["matchingPrecedence"];
  return typeof precedence === "number" ? precedence : 0;
}

function flowOf({ schema, level }: ClassifiableSchema, tallyOf: (schema: string, level: string) => Tally): Flow {
  const name = metaText(schema, "name");
  const levelName = metaText(level, "name");
  return {
    schema: name,
    level: levelName,
    distinguish: distinguisherOf(textOf(memberOf(specOf(schema), "distinguisherMethod")["type"])),
    tally: tallyOf(name, levelName),
    headers: [
      ["X-Kubernetes-PF-FlowSchema-UID", metaText(schema, "uid")],
      ["X-Kubernetes-PF-PriorityLevel-UID", metaText(level, "uid")],
    ],
  };
}

function distinguisherOf(method: string): Flow["distinguish"] {
  if (method === "ByUser") return (_, user) => user.name;
  return method === "ByNamespace" ? (info) => info.namespace : () => "";
}

export function specOf(object: JsonObject): JsonObject {
  return memberOf(object, "spec");
}

/** Schemas have thousands of rules where somebody writes them, and are compiled again when another one changes. */
const known = new WeakMap<JsonObject, readonly Rule[]>();

function compiledRules(schema: JsonObject): readonly Rule[] {
  let rules = known.get(schema);
  if (rules === undefined) {
    rules = objectsOf(specOf(schema)["rules"]).map(compileRule);
    known.set(schema, rules);
  }
  return rules;
}

function compileRule(rule: JsonObject): Rule {
  let matches: Matcher<RequestInfo> | undefined;
  return {
    isFor: anyOf(objectsOf(rule["subjects"]).map(subjectMatcher)),
    isAbout: (info) => {
      matches ??= requestMatcher(rule);
      return matches(info);
    },
  };
}

function requestMatcher(rule: JsonObject): Matcher<RequestInfo> {
  const resources = anyOf(objectsOf(rule["resourceRules"]).map(resourceMatcher));
  const paths = anyOf(objectsOf(rule["nonResourceRules"]).map(pathMatcher));
  return (info) => (info.isResource ? resources(info) : paths(info));
}

function subjectMatcher(subject: JsonObject): Matcher<User> {
  switch (subject["kind"]) {
    case "User": {
      const name = textOf(memberOf(subject, "user")["name"]);
      return (user) => name === "*" || user.name === name;
    }
    case "Group": {
      const name = textOf(memberOf(subject, "group")["name"]);
      return (user) => name === "*" || user.groups.includes(name);
    }
    case "ServiceAccount":
      return accountMatcher(memberOf(subject, "serviceAccount"));
    default:
      return () => false;
  }
}

function accountMatcher({ namespace, name }: JsonObject): Matcher<User> {
  const prefix = `system:serviceaccount:${textOf(namespace)}:`;
  if (name === "*") return (user) => user.name.startsWith(prefix);
  return (user) => user.name === prefix + textOf(name);
}

function resourceMatcher(rule: JsonObject): Matcher<RequestInfo> {
  const [verbs, groups] = [listMatcher(rule["verbs"]), listMatcher(rule["apiGroups"])];
  const [resources, namespaces] = [listMatcher(rule["resources"]), listMatcher(rule["namespaces"])];
  const isClusterScope = rule["clusterScope"] === true;
  return ({ verb, group, resource, subresource, namespace }) =>
    verbs(verb) &&
    resources(subresource === "" ? resource : `${resource}/${subresource}`) &&
    groups(group) &&
    (namespace === "" ? isClusterScope : namespaces(namespace));
}

function pathMatcher(rule: JsonObject): Matcher<RequestInfo> {
  const verbs = listMatcher(rule["verbs"]);
  const paths = anyOf(textsOf(rule["nonResourceURLs"]).map(urlMatcher));
  return ({ verb, path }) => verbs(verb) && paths(path);
}

/** A path matches everything below it, with or without a star. */
function urlMatcher(url: string): Matcher<string> {
  if (url === "*") return () => true;
  const prefix = url.replace(/\*$/, "").replace(/\/?$/, "/");
  return (path) => path === url || path.startsWith(prefix);
}

/** A star as the only entry matches everything. */
function listMatcher(value: JsonValue | undefined): Matcher<string> {
  const texts = textsOf(value);
  if (texts.length === 1 && texts[0] === "*") return () => true;
  const set = new Set(texts);
  return (text) => set.has(text);
}

function anyOf<T>(matchers: readonly Matcher<T>[]): Matcher<T> {
  return (value) => matchers.some((matches) => matches(value));
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : {};
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

function textsOf(value: JsonValue | undefined): string[] {
  return isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
