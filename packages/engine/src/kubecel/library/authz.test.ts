import { expect, test } from "vitest";
import { kubernetesEnvironment } from "../environment.ts";
import { show } from "../evaluate.testing.ts";
import {
  AUTHORIZER_TYPE,
  type AuthorizationAttributes,
  AuthorizerValue,
  RESOURCE_CHECK_TYPE,
  requestResourceCheck,
  type UserInfo,
} from "./authz.ts";

const alice: UserInfo = { name: "alice", uid: "", groups: ["dev"], extra: new Map() };

function ask(expression: string) {
  const asked: AuthorizationAttributes[] = [];
  const authorizer = {
    authorize(attributes: AuthorizationAttributes) {
      asked.push(attributes);
      const { verb } = attributes;
      if (verb === "get") return { decision: "allow", reason: "readable", error: undefined } as const;
      return { decision: "noOpinion", reason: "", error: verb === "fail" ? "broken" : undefined } as const;
    },
  };
  const environment = kubernetesEnvironment({
    version: "1.36",
    mode: "new",
    variables: { authorizer: AUTHORIZER_TYPE, "authorizer.requestResource": RESOURCE_CHECK_TYPE },
  });
  const compiled = environment.compile(expression);
  if (!compiled.ok) throw new Error(compiled.text);
  const made = environment.program(compiled.ast);
  if (!made.ok) throw new Error(made.error.message);
  const request = { group: "apps", resource: "deployments", subresource: "scale", namespace: "prod", name: "web" };
  const { value } = made.program.evaluate({
    authorizer: new AuthorizerValue(alice, authorizer),
    "authorizer.requestResource": requestResourceCheck(alice, authorizer, request),
  });
  return { text: show(value), asked: asked[0] };
}

test.each([
  ["authorizer.group('').resource('pods').check('get').allowed()", "true"],
  ["authorizer.group('').resource('pods').check('get').reason()", '"readable"'],
  ["authorizer.group('').resource('pods').check('list').allowed()", "false"],
  ["authorizer.group('').resource('pods').check('fail').errored()", "true"],
  ["authorizer.group('').resource('pods').check('fail').error()", '"broken"'],
  ["authorizer.group('').resource('pods').check('get').error()", '""'],
  ["authorizer.path('/healthz').check('get').allowed()", "true"],
  ["authorizer.path(' ')", "error: path must not be empty"],
  ["authorizer.group('').resource('')", "error: resource must not be empty"],
  ["authorizer.serviceAccount('default', 'Bad')", "error: Invalid service account name"],
  ["authorizer.serviceAccount('a.b', 'good')", "error: Invalid service account namespace"],
  ["authorizer == authorizer", "error: no such overload"],
])("%s is %s", (expression, text) => {
  expect(ask(expression).text).toBe(text);
});

test("a check passes all attributes to the authorizer", () => {
  const expression = `authorizer.serviceAccount('ns', 'robot').group('apps').resource('deployments').subresource('scale')
    .namespace('prod').name('web').fieldSelector('a=b').labelSelector('c in (d)').check('patch')`;
  expect(ask(expression).asked).toEqual({
    user: {
      name: "system:serviceaccount:ns:robot",
      uid: "",
      groups: ["system:serviceaccounts", "system:serviceaccounts:ns"],
      extra: new Map(),
    },
    verb: "patch",
    resourceRequest: true,
    path: "",
    apiGroup: "apps",
    apiVersion: "*",
    resource: "deployments",
    subresource: "scale",
    namespace: "prod",
    name: "web",
    fieldSelector: "a=b",
    labelSelector: "c in (d)",
  });
});

test("the request's own resource can be checked, and narrowed further", () => {
  const { asked } = ask("authorizer.requestResource.name('other').check('update').allowed()");
  expect(asked).toMatchObject({ apiGroup: "apps", resource: "deployments", namespace: "prod", name: "other" });
});
