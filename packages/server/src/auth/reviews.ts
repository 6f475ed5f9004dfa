/**
 * Questions to the server about access: they are posted, answered, and stored nowhere.
 *
 * Upstream's internal objects have forgotten their kind by the time they are validated, so refusals name none. Follows
 * kubernetes pkg/registry/authorization and pkg/registry/authentication.
 */
import { builtinResource } from "@portcullis/engine/internal/builtin/builtin";
import { aggregate } from "@portcullis/engine/internal/field/format";
import type { PolicyRule } from "@portcullis/engine/internal/rbac/objects";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Attributes, Authorizer } from "@portcullis/engine/internal/review/authorizer";
import type { AnswerContext, ResourceKind } from "@portcullis/engine/internal/review/kind";
import {
  checkAccessReview,
  checkRulesReview,
  checkTokenReview,
  evaluationError,
  readRequirements,
} from "@portcullis/engine/internal/review/kinds/access-review";
import { builtInKind } from "@portcullis/engine/internal/review/kinds/built-in";
import { formatFieldTerm } from "@portcullis/engine/internal/selector/fields";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { asServer } from "@portcullis/engine/internal/value/server-version";
import type { AuthorizerPart } from "./authorize.ts";
import * as messages from "./messages.ts";
import type { CheckToken } from "./token-authority.ts";

const AUTHORIZATION = "authorization.k8s.io";
const AUTHENTICATION = "authentication.k8s.io";

export interface ReviewOptions {
  readonly authorizer: Authorizer;
  readonly rulesFor: AuthorizerPart["rulesFor"];
  /** Without audiences it is asked whether the token is for this server. */
  readonly checkToken: CheckToken;
}

type Answer = (draft: JsonObject, context: AnswerContext) => Promise<JsonObject>;

export function reviewTypes({ authorizer, rulesFor, checkToken }: ReviewOptions): ResourceKind[] {
  const reviewAccess: Answer = (draft, context) => answerAccess(draft, context, authorizer);
  return [
    reviewType(AUTHENTICATION, "selfsubjectreviews", whoAmI),
    reviewType(AUTHENTICATION, "tokenreviews", (draft, context) => reviewToken(draft, context, checkToken)),
    reviewType(AUTHORIZATION, "localsubjectaccessreviews", reviewAccess),
    reviewType(AUTHORIZATION, "selfsubjectaccessreviews", reviewAccess),
    reviewType(AUTHORIZATION, "selfsubjectrulesreviews", (draft, context) => reviewRules(draft, context, rulesFor)),
    reviewType(AUTHORIZATION, "subjectaccessreviews", reviewAccess),
  ];
}

function reviewType(group: string, plural: string, answerCreate: Answer): ResourceKind {
  const resource = builtinResource(group, "v1", plural);
  if (resource === undefined) throw new Error(`no built-in kind ${plural}.${group}`);
  return { ...builtInKind(resource), answerCreate };
}

async function answerAccess(
  draft: JsonObject,
  { user, namespace, admit, server }: AnswerContext,
  authorizer: Authorizer,
): Promise<JsonObject> {
  const placed = asServer(server, () => checkAccessReview(draft, namespace));
  await admit(placed);
  const spec = member(draft, "spec");
  const isSelf = draft["kind"] === "SelfSubjectAccessReview";
  const attributes = asServer(server, () => attributesOf(spec, isSelf ? user : userOf(spec)));
  const { verdict, reason, error: failure } = await authorizer(attributes);
  const error = asServer(server, () => evaluationError(member(spec, "resourceAttributes"), failure));
  const status = objectOf({
    allowed: verdict === "allow",
    denied: verdict === "deny" ? true : undefined,
    reason: reason === "" ? undefined : reason,
    evaluationError: error === "" ? undefined : error,
  });
  return objectOf({ ...placed, status });
}

function attributesOf(spec: JsonObject, user: User): Attributes {
  const isResource = isObject(spec["resourceAttributes"]);
  const from = member(spec, isResource ? "resourceAttributes" : "nonResourceAttributes");
  const field = (name: string): string => textOf(from[name]);
  return {
    user,
    isResource,
    verb: field("verb"),
    path: field("path"),
    group: field("group"),
    version: field("version") || "*",
    resource: field("resource"),
    subresource: field("subresource"),
    namespace: field("namespace"),
    name: field("name"),
    ...selectorsOf(from),
  };
}

type Selectors = Pick<Attributes, "fieldSelector" | "labelSelector" | "fieldRequirements" | "labelRequirements">;

function selectorsOf(attributes: JsonObject): Selectors {
  if (!isEnabled("AuthorizeWithSelectors")) return {};
  const [fields, labels] = [member(attributes, "fieldSelector"), member(attributes, "labelSelector")];
  const fieldRequirements = readRequirements(fields, true);
  const labelRequirements = readRequirements(labels, false);
  const terms = fieldRequirements.map(({ key, operator, values: [value = ""] }) =>
    formatFieldTerm(key, operator === "NotIn", value),
  );
  return {
    fieldSelector: textOf(fields["rawSelector"]) || terms.join(","),
    labelSelector: textOf(labels["rawSelector"]),
    ...(fieldRequirements.length > 0 && { fieldRequirements }),
    ...(labelRequirements.length > 0 && { labelRequirements }),
  };
}

function userOf(spec: JsonObject): User {
  const extra = Object.entries(member(spec, "extra")).map(([key, values]) => [key, texts(values)] as const);
  return { name: textOf(spec["user"]), uid: textOf(spec["uid"]), groups: texts(spec["groups"]), extra: new Map(extra) };
}

async function reviewRules(
  draft: JsonObject,
  { user, admit }: AnswerContext,
  rulesFor: AuthorizerPart["rulesFor"],
): Promise<JsonObject> {
  checkRulesReview(draft);
  await admit(draft);
  const namespace = textOf(member(draft, "spec")["namespace"]);
  const { rules, errors } = rulesFor(user, namespace);
  const status = objectOf({
    resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0).map(pathRule),
    incomplete: errors.length > 0,
    evaluationError: errors.length === 0 ? undefined : aggregate(errors),
  });
  const { apiVersion, kind } = draft;
  return objectOf({ apiVersion, kind, metadata: newObject(), spec: newObject(), status });
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  const names = resourceNames.length === 0 ? undefined : [...resourceNames];
  return objectOf({ verbs: [...verbs], apiGroups: [...apiGroups], resources: [...resources], resourceNames: names });
}

function pathRule({ verbs, nonResourceURLs }: PolicyRule): JsonObject {
  return objectOf({ verbs: [...verbs], nonResourceURLs: [...nonResourceURLs] });
}

async function whoAmI(draft: JsonObject, { user, system, admit }: AnswerContext): Promise<JsonObject> {
  await admit(draft);
  const metadata = objectOf({ creationTimestamp: system.now() });
  const { apiVersion, kind } = draft;
  return objectOf({ apiVersion, kind, metadata, status: objectOf({ userInfo: userJson(user) }) });
}

async function reviewToken(
  draft: JsonObject,
  { admit }: AnswerContext,
  checkToken: ReviewOptions["checkToken"],
): Promise<JsonObject> {
  const spec = member(draft, "spec");
  checkTokenReview(draft);
  const token = textOf(spec["token"]);
  await admit(draft);
  const asked = texts(spec["audiences"]);
  const reasons = [messages.invalidToken()];
  const bearer = await checkToken(token, asked, (message) => reasons.push(message));
  const status =
    bearer === undefined
      ? objectOf({ user: newObject(), error: aggregate(reasons) })
      : objectOf({ authenticated: true, user: userJson(bearer.user), audiences: [...bearer.audiences] });
  return objectOf({ ...draft, status });
}

function userJson({ name, uid, groups, extra }: User): JsonObject {
  const extras = objectOf(Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])));
  return objectOf({
    username: name === "" ? undefined : name,
    uid: uid === "" ? undefined : uid,
    groups: groups.length === 0 ? undefined : [...groups],
    extra: extra.size === 0 ? undefined : extras,
  });
}

function member(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : newObject();
}

function texts(value: JsonValue | undefined): string[] {
  return isArray(value) ? value.map(textOf) : [];
}
