/**
 * The claims of a token, put to the JWT authenticators of an AuthenticationConfiguration: the user, or the refusal.
 *
 * Signatures, audiences and distributed claims are not checked: a test gives the claims as they are after that. Follows
 * apiserver plugin/pkg/authenticator/token/oidc.
 */
import { ANY, type Environment, ListValue, listOf, mapOf, objectType, STRING, type Value } from "@portcullis/cel";
import type { DeclType } from "@portcullis/engine/internal/kubecel/decl-type";
import { isArray, type JsonObject, type JsonValue, newObject, typeName } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, optionalText, textOf } from "@portcullis/engine/internal/value/read";
import { UsageError } from "../../input/usage-error.ts";
import type { Observation } from "../expectation.ts";
import type { AuthenticationSubject } from "../suite.ts";
import { claimsValue, claimValue } from "./claims-value.ts";
import type { SuiteContext } from "./context.ts";
import { type ConfiguredProgram, compileProgram, configuredEnvironment } from "./programs.ts";

export function observeAuthentication(
  { configuration, claims }: AuthenticationSubject,
  context: SuiteContext,
): Observation {
  const issuer = textOf(claims["iss"]);
  const index = objectsOf(configuration["jwt"]).findIndex((each) => textOf(objectOf(each["issuer"])["url"]) === issuer);
  const jwt = objectsOf(configuration["jwt"])[index];
  if (jwt === undefined) return refused("skip", `no authenticator has the issuer "${issuer}"`, 0);
  const authenticator = new Authenticator(jwt, `jwt[${index}]`, claims, context);
  const answer = authenticator.authenticate();
  if (typeof answer === "string") return refused("deny", answer, authenticator.cost);
  return { outcomes: ["allow"], why: "", texts: [], warnings: [], user: answer, cost: authenticator.cost };
}

function refused(outcome: "skip" | "deny", message: string, cost: number): Observation {
  return { outcomes: [outcome], why: message, texts: [message], warnings: [], cost };
}

const scalar: DeclType = {
  type: STRING, maxElements: 0n, minSerializedSize: 0,
  fields: undefined, key: undefined, element: undefined,
};
const TEXTS: DeclType = { ...scalar, type: listOf(STRING), element: scalar };
const USER: DeclType = {
  ...scalar,
  type: objectType("kubernetes.UserInfo"),
  fields: new Map([
    ["username", scalar],
    ["uid", scalar],
    ["groups", TEXTS],
    ["extra", { ...scalar, type: mapOf(STRING, listOf(STRING)), key: scalar, element: TEXTS }],
  ]),
};

class Refusal extends Error {}

function refuse(message: string): never {
  throw new Refusal(`oidc: ${message}`);
}

class Authenticator {
  readonly #jwt: JsonObject;
  readonly #place: string;
  readonly #claims: JsonObject;
  readonly #values: Readonly<Record<string, Value>>;
  readonly #context: SuiteContext;
  cost = 0;

  constructor(jwt: JsonObject, place: string, claims: JsonObject, context: SuiteContext) {
    this.#jwt = jwt;
    this.#place = place;
    this.#claims = claims;
    this.#values = { claims: claimsValue(claims) };
    this.#context = context;
  }

  /** The user; a string is the refusal. */
  authenticate(): JsonObject | string {
    try {
      const user = this.#user();
      this.#checkClaims();
      this.#checkUser(user);
      return user;
    } catch (thrown) {
      if (thrown instanceof Refusal) return thrown.message;
      throw thrown;
    }
  }

  #user(): JsonObject {
    const mappings = objectOf(this.#jwt["claimMappings"]);
    const user = newObject();
    user["username"] = this.#username(objectOf(mappings["username"]));
    user["groups"] = this.#groups(objectOf(mappings["groups"]));
    user["uid"] = this.#uid(objectOf(mappings["uid"]));
    user["extra"] = this.#extra(objectsOf(mappings["extra"]));
    return user;
  }

  #username({ expression, claim, prefix }: JsonObject): string {
    if (textOf(expression) !== "") {
      const value = this.#evaluate(textOf(expression), "claimMappings.username", "username claim expression");
      if (typeof value !== "string")
        refuse("error evaluating username claim expression: username claim expression must return a string");
      if (value === "") refuse("empty username via CEL expression is not allowed");
      return value;
    }
    const name = textOf(claim);
    const username = this.#textClaim(name, `parse username claims "${name}"`);
    const verified = this.#claims["email_verified"];
    if (name === "email" && verified !== undefined) {
      if (typeof verified !== "boolean") refuse(`parse 'email_verified' claim: ${notOfType(verified, "bool")}`);
      if (!verified) refuse("email not verified");
    }
    return (optionalText(prefix) ?? "") + username;
  }

  #groups({ expression, claim, prefix }: JsonObject): string[] {
    const name = textOf(claim);
    const value = name === "" ? undefined : this.#claims[name];
    if (value !== undefined) {
      const groups = isArray(value) ? value : [value];
      return groups.map((group) => {
        if (typeof group !== "string") refuse(`parse groups claim "${name}": ${notOfType(group, "string")}`);
        return (optionalText(prefix) ?? "") + group;
      });
    }
    if (textOf(expression) === "") return [];
    return this.#texts(textOf(expression), "claimMappings.groups", "group claim expression");
  }

  #uid({ expression, claim }: JsonObject): string {
    if (textOf(claim) !== "") return this.#textClaim(textOf(claim), `parse uid claim "${textOf(claim)}"`);
    if (textOf(expression) === "") return "";
    const value = this.#evaluate(textOf(expression), "claimMappings.uid", "uid claim expression");
    if (typeof value !== "string")
      refuse("error evaluating uid claim expression: uid claim expression must return a string");
    return value;
  }

  #extra(mappings: readonly JsonObject[]): JsonObject {
    const extra = newObject();
    const id = textOf(this.#claims["jti"]);
    if (id !== "") extra["authentication.kubernetes.io/credential-id"] = [`JTI=${id}`];
    mappings.forEach(({ key, valueExpression }, index) => {
      const expression = textOf(valueExpression);
      const place = `claimMappings.extra[${index}].valueExpression`;
      const values = this.#texts(expression, place, `extra claim expression: ${expression}`);
      if (values.length > 0) extra[textOf(key)] = values;
    });
    return extra;
  }

  #checkClaims(): void {
    const rules = objectsOf(this.#jwt["claimValidationRules"]);
    for (const { claim, requiredValue } of rules) {
      const name = textOf(claim);
      if (name === "") continue;
      const value = this.#claims[name];
      if (value === undefined) refuse(`required claim ${name} not present in ID token`);
      if (typeof value !== "string") refuse(`parse claim ${name}: ${notOfType(value, "string")}`);
      if (value !== textOf(requiredValue))
        refuse(`required claim ${name} value does not match. Got = ${value}, want = ${textOf(requiredValue)}`);
    }
    this.#checkRules("claimValidationRules", "claim validation expression", this.#claimsEnvironment(), this.#values);
  }

  #checkUser(user: JsonObject): void {
    const { version } = this.#context.engine;
    const environment = configuredEnvironment({ user: USER.type }, [USER], version);
    const values = { user: claimValue(user) };
    this.#checkRules("userValidationRules", "user info validation rule", environment, values);
  }

  /** All rules are evaluated before any result is looked at, as upstream. */
  #checkRules(field: string, what: string, environment: Environment, values: Readonly<Record<string, Value>>): void {
    const rules = objectsOf(this.#jwt[field]).flatMap(({ expression, message }, index) =>
      textOf(expression) === "" ? [] : [{ expression: textOf(expression), message: textOf(message), index }],
    );
    const results = rules.map(({ expression, index, message }) => {
      const program = this.#program(expression, `${field}[${index}].expression`, environment);
      if (program.type?.kind !== "bool")
        throw new UsageError(`${this.#place}.${field}[${index}].expression: must evaluate to bool`);
      return { value: this.#run(program, values, what), message, expression };
    });
    for (const { value, message, expression } of results) {
      if (value === true) continue;
      if (value !== false) refuse(`error evaluating ${what}: validation expression must return a boolean`);
      refuse(`error evaluating ${what}: validation expression '${expression}' failed: ${message}`);
    }
  }

  #texts(expression: string, place: string, what: string): string[] {
    const value = this.#evaluate(expression, place, what);
    const texts = textList(value);
    return texts ?? refuse(`error evaluating ${what}: expression must return a string or a list of strings`);
  }

  #textClaim(name: string, what: string): string {
    const value = this.#claims[name];
    if (value === undefined) refuse(`${what}: claim not present`);
    return typeof value === "string" ? value : refuse(`${what}: ${notOfType(value, "string")}`);
  }

  #evaluate(expression: string, place: string, what: string): Value {
    return this.#run(this.#program(expression, place, this.#claimsEnvironment()), this.#values, what);
  }

  #claimsEnvironment(): Environment {
    return configuredEnvironment({ claims: mapOf(STRING, ANY) }, [], this.#context.engine.version);
  }

  /** The API server does not start with such a configuration. */
  #program(expression: string, place: string, environment: Environment): ConfiguredProgram {
    const program = compileProgram(expression, environment);
    if (program.problem !== undefined) throw new UsageError(`${this.#place}.${place}: ${program.problem}`);
    return program;
  }

  #run(program: ConfiguredProgram, values: Readonly<Record<string, Value>>, what: string): Value {
    const result = program.evaluate(values);
    this.cost += result.cost;
    if (result.error === undefined) return result.value;
    const of = what.split(":")[0];
    return refuse(`error evaluating ${of}: expression '${program.expression}' resulted in error: ${result.error}`);
  }
}

/** Undefined if it is neither a text nor a list of texts. Empty texts are left out. */
function textList(value: Value): string[] | undefined {
  if (value === null) return [];
  if (typeof value === "string") return value === "" ? [] : [value];
  if (!(value instanceof ListValue)) return undefined;
  const texts: string[] = [];
  for (let index = 0; index < value.size; index++) {
    const item = value.at(index);
    if (typeof item !== "string") return undefined;
    if (item !== "") texts.push(item);
  }
  return texts;
}

/** The message of Go's encoding/json. */
function notOfType(value: JsonValue, type: string): string {
  const name = { boolean: "bool", integer: "number", null: "null" }[typeName(value) as string] ?? typeName(value);
  return `json: cannot unmarshal ${name} into Go value of type ${type}`;
}
