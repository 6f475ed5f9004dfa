/** Policies with parameters. */
import { configMap, shown, widget } from "./builders.mjs";
import { FALSE, variable } from "./requests-expressions.mjs";

export const paramMap = (name = "{{n}}-p", over = {}, values = { max: "3" }) =>
  configMap(values, { name, namespace: "default", labels: { param: "{{n}}" }, ...over });
export const withParams = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const byParams = {
  validations: [
    {
      expression: "int(object.data.n) <= int(params.data.max)",
      messageExpression: "'max is ' + params.data.max + ' in ' + params.metadata.name",
    },
  ],
};
const paramSelector = { selector: { matchLabels: { param: "{{n}}" } } };
/** The policy, the reference, the params, other parts of the case. */
export const params = [
  ["by name", byParams, { name: "{{n}}-p", namespace: "default" }, [paramMap()]],
  ["in the request's namespace", byParams, { name: "{{n}}-p" }, [paramMap()]],
  ["kind and apiVersion", shown("params.kind + params.apiVersion"), { name: "{{n}}-p" }, [paramMap()]],
  ["missing, Deny", byParams, { name: "{{n}}-p" }, []],
  ["missing, Allow", byParams, { name: "{{n}}-p", parameterNotFoundAction: "Allow" }, []],
  ["missing, Deny, Ignore", { failurePolicy: "Ignore", ...byParams }, { name: "{{n}}-p" }, []],
  ["missing, Deny, Warn only", byParams, { name: "{{n}}-p" }, [], { actions: ["Warn"] }],
  ["another namespace", byParams, { name: "{{n}}-p", namespace: "kube-system" }, [paramMap()]],
  ["by selector", byParams, paramSelector, [paramMap()]],
  [
    "by selector, two",
    byParams,
    paramSelector,
    [paramMap("{{n}}-p", {}, { max: "9" }), paramMap("{{n}}-q", {}, { max: "3" })],
  ],
  ["by selector, none, Deny", byParams, paramSelector, []],
  ["by selector, none, Allow", byParams, { ...paramSelector, parameterNotFoundAction: "Allow" }, []],
  [
    "by selector, both pass",
    byParams,
    paramSelector,
    [paramMap("{{n}}-p", {}, { max: "9" }), paramMap("{{n}}-q", {}, { max: "8" })],
  ],
  [
    "by selector In",
    byParams,
    { selector: { matchExpressions: [{ key: "param", operator: "In", values: ["{{n}}"] }] } },
    [paramMap()],
  ],
  [
    "no reference: params are null",
    {
      validations: [
        { expression: "params == null", message: "not null" },
        { expression: "params != null", message: "null" },
      ],
    },
    undefined,
    [],
  ],
  ["no reference: read", byParams, undefined, []],
  [
    "error in params",
    { validations: [{ expression: "int(params.data.nope) > 1" }] },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "in a condition",
    { ...byParams, matchConditions: [{ name: "a", expression: "params.data.max == '3'" }] },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "in a condition that excludes",
    { ...byParams, matchConditions: [{ name: "a", expression: "params.data.max == '4'" }] },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "in a variable",
    {
      variables: [variable("max", "int(params.data.max)")],
      validations: [{ expression: "int(object.data.n) <= variables.max", messageExpression: "string(variables.max)" }],
    },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "in an annotation",
    { auditAnnotations: [{ key: "k", valueExpression: "string(params.data.max)" }] },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "annotations of two params",
    { auditAnnotations: [{ key: "k", valueExpression: "string(params.data.max)" }] },
    paramSelector,
    [paramMap("{{n}}-p", {}, { max: "9" })],
  ],
  [
    "equal annotations of two params",
    { auditAnnotations: [{ key: "k", valueExpression: "'same'" }] },
    paramSelector,
    [paramMap(), paramMap("{{n}}-q")],
  ],
  [
    "unknown kind",
    {
      paramKind: { apiVersion: "{{n}}.example.com/v1", kind: "Nope" },
      validations: [{ expression: "params != null" }],
    },
    { name: "x" },
    [],
  ],
  [
    "unknown kind, Ignore",
    {
      failurePolicy: "Ignore",
      paramKind: { apiVersion: "{{n}}.example.com/v1", kind: "Nope" },
      validations: [{ expression: "params != null" }],
    },
    { name: "x" },
    [],
  ],
  [
    "unknown version",
    { paramKind: { apiVersion: "v7", kind: "ConfigMap" }, validations: [{ expression: "params != null" }] },
    { name: "x" },
    [],
  ],
  [
    "unknown kind, Warn only",
    {
      paramKind: { apiVersion: "{{n}}.example.com/v1", kind: "Nope" },
      validations: [{ expression: "params != null" }],
    },
    { name: "x" },
    [],
    { actions: ["Warn"] },
  ],
  ["without paramKind the reference is ignored", { paramKind: undefined, ...FALSE }, { name: "x" }, []],
];

export const customParams = [
  ["namespaced custom kind", {}, widget({ max: 3 }), { name: "{{n}}" }],
  ["namespaced custom kind elsewhere", {}, widget({ max: 3 }), { name: "{{n}}", namespace: "kube-system" }],
  ["cluster-scoped custom kind", { scope: "Cluster" }, widget({ max: 3 }, { namespace: undefined }), { name: "{{n}}" }],
  [
    "cluster-scoped custom kind with a namespace",
    { scope: "Cluster" },
    widget({ max: 3 }, { namespace: undefined }),
    { name: "{{n}}", namespace: "default" },
  ],
  [
    "cluster-scoped custom kind by selector",
    { scope: "Cluster" },
    widget({ max: 3 }, { namespace: undefined }),
    { selector: { matchLabels: { case: "{{n}}" } } },
  ],
  [
    "cluster-scoped custom kind, all",
    { scope: "Cluster" },
    widget({ max: 3 }, { namespace: undefined }),
    { selector: {} },
  ],
  ["namespaced custom kind, all", {}, widget({ max: 3 }), { selector: {} }],
];
