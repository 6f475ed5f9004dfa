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

export function policyShapes(version: string): PolicyShapes {
  const go = (name: string): string => `${version}.${name}`;

  const rule = goStruct(go("NamedRuleWithOperations"), () => ({
    resourceNames: field(goList(goString)),
    operations: { ...field(goList(namedString("v1.OperationType"))), embedded: ["RuleWithOperations"] },
    apiGroups: { ...field(goList(goString)), embedded: IN_RULE },
    apiVersions: { ...field(goList(goString)), embedded: IN_RULE },
    resources: { ...field(goList(goString)), embedded: IN_RULE },
    scope: { ...pointerField(namedString("v1.ScopeType")), embedded: IN_RULE },
  }));

  const matchResources = goStruct(go("MatchResources"), () => ({
    namespaceSelector: pointerField(labelSelector),
    objectSelector: pointerField(labelSelector),
    resourceRules: field(goList(rule)),
    excludeResourceRules: field(goList(rule)),
    matchPolicy: pointerField(namedString(go("MatchPolicyType"))),
  }));

  const named = (name: string): GoStruct =>
    goStruct(go(name), () => ({ name: alwaysField(goString), expression: alwaysField(goString) }));

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

  const paramKind = goStruct(go("ParamKind"), () => ({ apiVersion: field(goString), kind: field(goString) }));

  const policySpec = goStruct(go("ValidatingAdmissionPolicySpec"), () => ({
    paramKind: pointerField(paramKind),
    matchConstraints: pointerField(matchResources),
    validations: field(goList(validation)),
    failurePolicy: pointerField(namedString(go("FailurePolicyType"))),
    auditAnnotations: field(goList(auditAnnotation)),
    matchConditions: field(goList(named("MatchCondition"))),
    variables: field(goList(named("Variable"))),
  }));

  const expression = (name: string): GoStruct => goStruct(go(name), () => ({ expression: field(goString) }));

  const mutation = goStruct(go("Mutation"), () => ({
    patchType: alwaysField(namedString(go("PatchType"))),
    applyConfiguration: pointerField(expression("ApplyConfiguration")),
    jsonPatch: pointerField(expression("JSONPatch")),
  }));

  const mutatingSpec = goStruct(go("MutatingAdmissionPolicySpec"), () => ({
    paramKind: pointerField(paramKind),
    matchConstraints: pointerField(matchResources),
    variables: field(goList(named("Variable"))),
    mutations: field(goList(mutation)),
    failurePolicy: pointerField(namedString(go("FailurePolicyType"))),
    matchConditions: field(goList(named("MatchCondition"))),
    reinvocationPolicy: field(namedString(go("ReinvocationPolicyType"))),
  }));

  const warning = goStruct(go("ExpressionWarning"), () => ({
    fieldRef: alwaysField(goString),
    warning: alwaysField(goString),
  }));

  const typeChecking = goStruct(go("TypeChecking"), () => ({ expressionWarnings: field(goList(warning)) }));

  const policyStatus = goStruct(go("ValidatingAdmissionPolicyStatus"), () => ({
    observedGeneration: field(goInt64),
    typeChecking: pointerField(typeChecking),
    conditions: field(goList(condition)),
  }));

  const paramRef = goStruct(go("ParamRef"), () => ({
    name: field(goString),
    namespace: field(goString),
    selector: pointerField(labelSelector),
    parameterNotFoundAction: pointerField(namedString(go("ParameterNotFoundActionType"))),
  }));

  const bindingSpec = goStruct(go("ValidatingAdmissionPolicyBindingSpec"), () => ({
    policyName: field(goString),
    paramRef: pointerField(paramRef),
    matchResources: pointerField(matchResources),
    validationActions: field(goList(namedString(go("ValidationAction")))),
  }));

  const mutatingBindingSpec = goStruct(go("MutatingAdmissionPolicyBindingSpec"), () => ({
    policyName: field(goString),
    paramRef: pointerField(paramRef),
    matchResources: pointerField(matchResources),
  }));

  const withSpec = (name: string, spec: GoStruct): GoStruct =>
    goStruct(go(name), () => ({
      kind: field(goString),
      apiVersion: field(goString),
      metadata: alwaysField(objectMeta),
      spec: alwaysField(spec),
    }));

  return {
    policy: goStruct(go("ValidatingAdmissionPolicy"), () => ({
      kind: field(goString),
      apiVersion: field(goString),
      metadata: alwaysField(objectMeta),
      spec: alwaysField(policySpec),
      status: alwaysField(policyStatus),
    })),
    binding: withSpec("ValidatingAdmissionPolicyBinding", bindingSpec),
    mutatingPolicy: withSpec("MutatingAdmissionPolicy", mutatingSpec),
    mutatingBinding: withSpec("MutatingAdmissionPolicyBinding", mutatingBindingSpec),
  };
}
