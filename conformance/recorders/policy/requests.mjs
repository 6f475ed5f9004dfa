/** Policies and the requests they are evaluated for. */
import {
  configMap,
  create,
  definition,
  namespace,
  own,
  ownNamespace,
  policy,
  shown,
  single,
  table,
  widget,
  widgetRequest,
  widgetRule,
} from "./builders.mjs";
import { authorization, mayWrite, user } from "./requests-authorization.mjs";
import {
  annotations,
  conditions,
  customValues,
  data,
  data2,
  errors,
  FALSE,
  inOwn,
  long,
  matchTable,
  messages,
  users,
  values,
  variables,
  variablesAsValue,
  withExtra,
} from "./requests-expressions.mjs";
import {
  budget,
  clusterCases,
  equivalents,
  namespaceCases,
  operations,
  seen,
  several,
  subresources,
} from "./requests-matching.mjs";
import { customParams, params, withParams } from "./requests-params.mjs";

/** Actions and failure policies combined with possible failures. */
const ACTIONS = [["Deny"], ["Warn"], ["Audit"], ["Deny", "Audit"], ["Warn", "Audit"], ["Audit", "Deny"]];
const enforcement = ["Fail", "Ignore"].flatMap((failurePolicy) =>
  ACTIONS.flatMap((actions) => [
    [`false, ${failurePolicy}, ${actions}`, { failurePolicy, ...FALSE }, actions],
    [
      `error, ${failurePolicy}, ${actions}`,
      { failurePolicy, validations: [{ expression: "object.nope == 1" }] },
      actions,
    ],
    [
      `condition error, ${failurePolicy}, ${actions}`,
      { failurePolicy, matchConditions: [{ name: "a", expression: "object.nope == 1" }], ...FALSE },
      actions,
    ],
    [
      `audit error, ${failurePolicy}, ${actions}`,
      {
        failurePolicy,
        auditAnnotations: [{ key: "k", valueExpression: "string(object.nope)" }],
        validations: [{ expression: "true" }],
      },
      actions,
    ],
    [
      `two of three, ${failurePolicy}, ${actions}`,
      {
        failurePolicy,
        validations: [
          { expression: "true" },
          { expression: "object.nope == 1" },
          { expression: "false", message: "third" },
        ],
      },
      actions,
    ],
  ]),
);

export const requestCases = [
  ...["Fail", "Ignore"].flatMap((failurePolicy) =>
    table(`error under ${failurePolicy}`, errors, (expression) =>
      single("", { failurePolicy, validations: [{ expression }] }, create(configMap(data))),
    ),
  ),
  ...table("value", values, (expression) =>
    single("", shown(expression), create(configMap(data)), { actions: ["Warn"] }),
  ),
  ...table(
    "value denied",
    values.filter(([name]) => /line break|return|tab|quotes|long|limit|unicode|blank/.test(name)),
    (expression) => single("", shown(expression), create(configMap(data))),
  ),
  ...table("message", messages, (validation) => single("", { validations: [validation] })),
  ...table("message as warning", messages, (validation) =>
    single("", { validations: [validation] }, create(), { actions: ["Warn"] }),
  ),
  ...table("match", matchTable, (match) => ({
    ...single("", { match: { objectSelector: {}, ...match }, ...FALSE }, inOwn(), {
      bind: { matchResources: ownNamespace },
    }),
    namespaces: [namespace({ env: "test" })],
  })),
  ...["Fail", "Ignore"].flatMap((failurePolicy) =>
    table(`condition under ${failurePolicy}`, conditions, (list) =>
      single(
        "",
        { failurePolicy, matchConditions: list.map(([name, expression]) => ({ name, expression })), ...FALSE },
        create(configMap(data)),
      ),
    ),
  ),
  ...table("variable", variables, (list, expression) =>
    single("", { variables: list, ...shown(expression) }, create(configMap(data)), { actions: ["Warn"] }),
  ),
  ...table("variable in a validation", variables, (list, expression) =>
    single(
      "",
      { variables: list, validations: [{ expression: `(${expression}) == 'no'`, message: "m" }] },
      create(configMap(data)),
    ),
  ),
  ...table("variables as a value", variablesAsValue, (list, expression) =>
    single(
      "",
      { variables: list, validations: [{ expression: `{'': true}[string(${expression})]` }] },
      create(configMap(data)),
    ),
  ),
  ...table("user", users, (expression) => ({
    ...single(
      "",
      { validations: [{ expression: `{'': true}[string(${expression})]` }] },
      create(configMap(data), withExtra),
    ),
    rbac: [{ ...mayWrite[0] }, { ...mayWrite[1], subjects: [user("{{n}}-extra")] }],
  })),
  ...table("custom resource", customValues, (expression) => ({
    ...single(
      "",
      { match: { resourceRules: [widgetRule()] }, validations: [{ expression: `{'': true}[string(${expression})]` }] },
      { operation: "CREATE", ...widgetRequest(), object: widget({ data2 }) },
    ),
    definitions: [definition()],
  })),
  ...["Fail", "Ignore"].flatMap((failurePolicy) =>
    table(`annotation under ${failurePolicy}`, annotations, (valueExpression) =>
      single(
        "",
        { failurePolicy, auditAnnotations: [{ key: "k", valueExpression }], validations: [{ expression: "true" }] },
        create(configMap({ ...data, long })),
      ),
    ),
  ),
  ...table("authorizer", authorization, (who, objects, question) => ({
    ...single(
      "",
      { validations: [{ expression: `${question}.allowed()`, message: "not allowed" }] },
      create(configMap(data), who),
    ),
    rbac: [...(who.user !== undefined ? mayWrite : []), ...objects],
  })),
  ...table("authorizer reason", authorization, (who, objects, question) => ({
    // The error quotes a missing key, which is the only way to see a text from the authorizer.
    ...single(
      "",
      { validations: [{ expression: `{'': true}[${question}.reason()]`, message: "m" }] },
      create(configMap(data), who),
    ),
    rbac: [...(who.user !== undefined ? mayWrite : []), ...objects],
  })),
  ...table("enforcement", enforcement, (spec, actions) => single("", spec, create(configMap(data)), { actions })),
  ...table("params", params, (spec, paramRef, objects, over = {}) => ({
    ...single("", { ...withParams, ...spec }, create(configMap(data)), {
      ...over,
      bind: paramRef && { paramRef: { parameterNotFoundAction: "Deny", ...paramRef } },
    }),
    params: objects,
  })),
  ...table("params", customParams, (scope, object, paramRef) => ({
    ...single(
      "",
      {
        paramKind: { apiVersion: "{{n}}.example.com/v1", kind: "Widget" },
        validations: [{ expression: "params.max > 5", messageExpression: "string(params.max) + params.kind" }],
      },
      create(configMap(data)),
      { bind: { paramRef: { parameterNotFoundAction: "Deny", ...paramRef } } },
    ),
    definitions: [definition(scope)],
    params: [object],
  })),
  ...table("operation", operations, (spec, request, over = {}) => ({
    ...single("", spec, request),
    ...(over.ownsNamespace && { namespaces: [namespace()] }),
  })),
  ...table("namespaces", namespaceCases, (spec, request, over = {}) => single("", spec, request, over)),
  ...table("cluster-scoped", clusterCases, (spec, request, over = {}) => single("", spec, request, over)),
  ...table("equivalent", equivalents, (versions, named, asked, match) => ({
    ...single(
      "",
      { match: { resourceRules: [widgetRule({ apiVersions: named })], ...match }, ...seen },
      { operation: "CREATE", ...widgetRequest(asked), object: widget({ x: 1 }, {}, asked) },
    ),
    definitions: [definition({}, versions)],
  })),
  ...table("budget", budget, (expressions, messageExpression) =>
    single(
      "",
      {
        validations: expressions.map((expression) => ({ expression, ...(messageExpression && { messageExpression }) })),
      },
      create(configMap(data)),
    ),
  ),
  ...several,
  ...table("subresource", subresources, (resources, subresource) => ({
    ...single(
      "",
      {
        match: { resourceRules: [widgetRule({ resources })] },
        ...shown(
          "request.kind.kind + request.resource.resource + '/' + request.subResource + request.requestSubResource + object.kind",
        ),
      },
      {
        operation: "UPDATE",
        ...widgetRequest(),
        subresource,
        ...(subresource === "scale" && { kind: { group: "autoscaling", version: "v1", kind: "Scale" } }),
        oldObject: widget({ spec: { replicas: 1 }, status: { replicas: 1 } }),
        object:
          subresource === "scale"
            ? {
                apiVersion: "autoscaling/v1",
                kind: "Scale",
                metadata: { name: "{{n}}", namespace: "default" },
                spec: { replicas: 2 },
              }
            : widget({ spec: { replicas: 1 }, status: { replicas: 2 } }),
      },
    ),
    definitions: [
      definition({
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            subresources: {
              status: {},
              scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
            },
            schema: {
              openAPIV3Schema: {
                type: "object",
                "x-kubernetes-preserve-unknown-fields": true,
                properties: {
                  spec: { type: "object", properties: { replicas: { type: "integer" } } },
                  status: { type: "object", properties: { replicas: { type: "integer" } } },
                },
              },
            },
          },
        ],
      }),
    ],
    policies: [
      policy({
        match: { objectSelector: subresource === "scale" ? {} : own, resourceRules: [widgetRule({ resources })] },
        ...shown(
          "request.kind.kind + request.resource.resource + '/' + request.subResource + request.requestSubResource + object.kind",
        ),
      }),
    ],
  })),
];
