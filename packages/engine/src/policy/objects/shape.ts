/**
 * The Go types of admissionregistration.k8s.io, as far as JSON shows them.
 *
 * The three versions differ in nothing but their names in type errors.
 */
import {
  alwaysField,
  field,
  type GoStruct,
  goInt64,
  goList,
  goMap,
  goString,
  goStruct,
  goTime,
  namedString,
  pointerField,
} from "../../field/go-shape.ts";
import { objectMeta } from "../../schema/meta-shape.ts";

export interface PolicyShapes {
  readonly policy: GoStruct;
  readonly binding: GoStruct;
  readonly mutatingPolicy: GoStruct;
  readonly mutatingBinding: GoStruct;
}

const requirement = goStruct("v1.LabelSelectorRequirement", () => ({
  key: alwaysField(goString),
  operator: alwaysField(namedString("v1.LabelSelectorOperator")),
  values: field(goList(goString)),
}));

const labelSelector = goStruct("v1.LabelSelector", () => ({
  matchLabels: field(goMap(goString)),
  matchExpressions: field(goList(requirement)),
}));

const condition = goStruct("v1.Condition", () => ({
  type: alwaysField(goString),
  status: alwaysField(namedString("v1.ConditionStatus")),
  observedGeneration: field(goInt64),
  lastTransitionTime: alwaysField(goTime),
  reason: alwaysField(goString),
  message: alwaysField(goString),
}));

const IN_RULE = ["RuleWithOperations", "Rule"];

/** The name of a Go type in one version of the group. */
type GoName = (name: string) => string;

export function policyShapes(version: string): PolicyShapes {
  const go: GoName = (name) => `${version}.${name}`;
  const shared = sharedShapes(go);
  return { ...validatingShapes(go, shared), ...mutatingShapes(go, shared) };
}

interface SharedShapes {
  readonly paramKind: GoStruct;
  readonly paramRef: GoStruct;
  readonly matchResources: GoStruct;
}

function sharedShapes(go: GoName): SharedShapes {
  const rule = goStruct(go("NamedRuleWithOperations"), () => ({
    resourceNames: field(goList(goString)),
    operations: { ...field(goList(namedString("v1.OperationType"))), embedded: ["RuleWithOperations"] },
    apiGroups: { ...field(goList(goString)), embedded: IN_RULE },
    apiVersions: { ...field(goList(goString)), embedded: IN_RULE },
    resources: { ...field(goList(goString)), embedded: IN_RULE },
    scope: { ...pointerField(namedString("v1.ScopeType")), embedded: IN_RULE },
  }));
  return {
    paramKind: goStruct(go("ParamKind"), () => ({ apiVersion: field(goString), kind: field(goString) })),
    paramRef: goStruct(go("ParamRef"), () => ({
      name: field(goString),
      namespace: field(goString),
      selector: pointerField(labelSelector),
      parameterNotFoundAction: pointerField(namedString(go("ParameterNotFoundActionType"))),
    })),
    matchResources: goStruct(go("MatchResources"), () => ({
      namespaceSelector: pointerField(labelSelector),
      objectSelector: pointerField(labelSelector),
      resourceRules: field(goList(rule)),
      excludeResourceRules: field(goList(rule)),
      matchPolicy: pointerField(namedString(go("MatchPolicyType"))),
    })),
  };
}

function validatingShapes(go: GoName, shared: SharedShapes): Pick<PolicyShapes, "policy" | "binding"> {
  const { paramKind, paramRef, matchResources } = shared;
  const validation = goStruct(go("Validation"), () => ({
    expression: alwaysField(goString),
    message: field(goString),
    reason: pointerField(namedString("v1.StatusReason")),
    messageExpression: field(goString),
  }));
  const auditAnnotation = goStruct(go("AuditAnnotation"), () => ({
    key: alwaysField(goString),
    valueExpression: alwaysField(goString),
  }));
  const policySpec = goStruct(go("ValidatingAdmissionPolicySpec"), () => ({
    paramKind: pointerField(paramKind),
    matchConstraints: pointerField(matchResources),
    validations: field(goList(validation)),
    failurePolicy: pointerField(namedString(go("FailurePolicyType"))),
    auditAnnotations: field(goList(auditAnnotation)),
    matchConditions: field(goList(namedExpression(go("MatchCondition")))),
    variables: field(goList(namedExpression(go("Variable")))),
  }));
  const bindingSpec = goStruct(go("ValidatingAdmissionPolicyBindingSpec"), () => ({
    policyName: field(goString),
    paramRef: pointerField(paramRef),
    matchResources: pointerField(matchResources),
    validationActions: field(goList(namedString(go("ValidationAction")))),
  }));
  const status = policyStatus(go);
  return {
    policy: goStruct(go("ValidatingAdmissionPolicy"), () => ({
      kind: field(goString),
      apiVersion: field(goString),
      metadata: alwaysField(objectMeta),
      spec: alwaysField(policySpec),
      status: alwaysField(status),
    })),
    binding: withSpec(go("ValidatingAdmissionPolicyBinding"), bindingSpec),
  };
}

function policyStatus(go: GoName): GoStruct {
  const warning = goStruct(go("ExpressionWarning"), () => ({
    fieldRef: alwaysField(goString),
    warning: alwaysField(goString),
  }));
  const typeChecking = goStruct(go("TypeChecking"), () => ({ expressionWarnings: field(goList(warning)) }));
  return goStruct(go("ValidatingAdmissionPolicyStatus"), () => ({
    observedGeneration: field(goInt64),
    typeChecking: pointerField(typeChecking),
    conditions: field(goList(condition)),
  }));
}

function mutatingShapes(go: GoName, shared: SharedShapes): Pick<PolicyShapes, "mutatingPolicy" | "mutatingBinding"> {
  const { paramKind, paramRef, matchResources } = shared;
  const expression = (name: string): GoStruct => goStruct(go(name), () => ({ expression: field(goString) }));
  const mutation = goStruct(go("Mutation"), () => ({
    patchType: alwaysField(namedString(go("PatchType"))),
    applyConfiguration: pointerField(expression("ApplyConfiguration")),
    jsonPatch: pointerField(expression("JSONPatch")),
  }));
  const policySpec = goStruct(go("MutatingAdmissionPolicySpec"), () => ({
    paramKind: pointerField(paramKind),
    matchConstraints: pointerField(matchResources),
    variables: field(goList(namedExpression(go("Variable")))),
    mutations: field(goList(mutation)),
    failurePolicy: pointerField(namedString(go("FailurePolicyType"))),
    matchConditions: field(goList(namedExpression(go("MatchCondition")))),
    reinvocationPolicy: field(namedString(go("ReinvocationPolicyType"))),
  }));
  const bindingSpec = goStruct(go("MutatingAdmissionPolicyBindingSpec"), () => ({
    policyName: field(goString),
    paramRef: pointerField(paramRef),
    matchResources: pointerField(matchResources),
  }));
  return {
    mutatingPolicy: withSpec(go("MutatingAdmissionPolicy"), policySpec),
    mutatingBinding: withSpec(go("MutatingAdmissionPolicyBinding"), bindingSpec),
  };
}

function namedExpression(goName: string): GoStruct {
  return goStruct(goName, () => ({ name: alwaysField(goString), expression: alwaysField(goString) }));
}

function withSpec(goName: string, spec: GoStruct): GoStruct {
  return goStruct(goName, () => ({
    kind: field(goString),
    apiVersion: field(goString),
    metadata: alwaysField(objectMeta),
    spec: alwaysField(spec),
  }));
}
