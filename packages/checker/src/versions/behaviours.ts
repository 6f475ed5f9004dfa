/**
 * What behaves differently since a version, as far as the generated tables of kinds, fields and feature gates do not say
 * it: messages, validation, defaults, costs, warnings, columns. The code asks `since(…)`, or for a gate that changed.
 */

export type BehaviourArea = "validation" | "default" | "message" | "warning" | "cel" | "cost" | "output";

export interface Behaviour {
  /** The first version that behaves so. */
  readonly since: `1.${number}`;
  readonly area: BehaviourArea;
  readonly text: string;
  readonly example: string;
}

// biome-ignore format: a table
export const BEHAVIOURS: readonly Behaviour[] = [
  { since: "1.37", area: "validation", text: "multipleOf accepts fractions that are multiples up to a relative error", example: "multipleOf: 0.01 accepts 19.99" },
  { since: "1.37", area: "validation", text: "templates must name the image of an image volume", example: "a Deployment with volumes: [{name: v, image: {}}] is refused" },
  { since: "1.37", area: "validation", text: "a body that is not JSON or YAML is refused before a patch looks at the object", example: "an empty merge patch: invalid JSON patch" },
  { since: "1.37", area: "validation", text: "a StatefulSet's maxUnavailable is kept, and may not be 0", example: "rollingUpdate: {maxUnavailable: 0} is refused" },
  { since: "1.37", area: "validation", text: "autoscalers may scale to zero with metrics of objects or external ones", example: "minReplicas: 0 with an External metric is accepted" },
  { since: "1.37", area: "validation", text: "projected trust bundles are kept, and must name a bundle or a signer", example: "clusterTrustBundle: {path: a} is refused" },
  { since: "1.37", area: "validation", text: "updates of a Job are not checked for the selector and labels that its creation generates", example: "a changed selector is immutable, and no longer `selector` not auto-generated" },
  { since: "1.37", area: "default", text: "a StatefulSet has maxUnavailable, and a CSIDriver preventPodSchedulingIfMissing", example: "rollingUpdate: {partition: 0, maxUnavailable: 1}" },
  { since: "1.37", area: "default", text: "a pod with resources of its own gets limits where all its containers have some, after webhooks", example: "spec.resources: {limits: {cpu: 1}} and containers with memory limits: limits.memory is their sum" },
  { since: "1.34", area: "default", text: "a pod with limits of its own gets requests, and its class is that of its own resources", example: "spec.resources: {limits: {cpu: 1}}: requests.cpu is what the containers request, or 1" },
  { since: "1.35", area: "validation", text: "taints of devices may have no effect", example: "taints: [{key: k, effect: None}]" },
  { since: "1.35", area: "message", text: "changed resource claims and templates are not validated again", example: "an invalid selector has one cause instead of two" },
  { since: "1.35", area: "warning", text: "drivers of ResourceSlices with upper case are warned about", example: "driver names should be lowercase; \"A.B\" contains uppercase characters" },
  { since: "1.35", area: "output", text: "a write of the status of a resource claim does not own metadata", example: "f:metadata in managedFields" },
  { since: "1.37", area: "default", text: "autoscalers have a generation", example: "metadata.generation: 1" },
  { since: "1.37", area: "message", text: "a changed roleRef and providerID are reported like other fields", example: "roleRef: …: field is immutable, not cannot change roleRef" },
  { since: "1.37", area: "validation", text: "the user of a container may have any number that Linux knows", example: "status.containerStatuses[0].user.linux.uid: 4294967294 is accepted" },
  { since: "1.37", area: "message", text: "owner references are reported by index, and missing parts as required", example: "metadata.ownerReferences[0].name: Required value: must not be empty" },
  { since: "1.37", area: "message", text: "errors of declarative validation come last, without a text of their own", example: "rules[0].verbs: Required value" },
  { since: "1.37", area: "message", text: "equal errors of an update are reported once", example: "metadata.uid: field is immutable has one cause instead of two" },
  { since: "1.37", area: "message", text: "in embedded objects, an operation of managedFields that is missing is required, another one not supported", example: "spec.template.metadata.managedFields[0].operation: Required value: must not be empty" },
  { since: "1.37", area: "message", text: "apply calls its body a patch", example: "error strict decoding patch: …" },
  { since: "1.37", area: "message", text: "fields of a StatefulSet that may not change are named one by one", example: "spec.serviceName: Invalid value: \"t\": field is immutable" },
  { since: "1.37", area: "message", text: "access reviews with none or both attributes are reported at spec", example: "spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified" },
  { since: "1.37", area: "warning", text: "sets of objects or lists in CRDs are warned about", example: "x-kubernetes-list-type: set for items of type \"object\" is not supported by server-side apply or CEL validation rules" },
  { since: "1.37", area: "cel", text: "sets and keyed lists are equal if they have the same members", example: "self.set == ['a', 'a'] is false for the set a, b" },
  { since: "1.37", area: "cel", text: "concatenation makes a list of values", example: "dyn(self.list + [4]) == dyn('x') is false instead of an error" },
  { since: "1.37", area: "cel", text: "lists.range refuses negative and very long ranges", example: "lists.range(-1): size must be non-negative, got -1" },
  { since: "1.37", area: "cel", text: "an int for a duration is refused with the rule, not when it is evaluated", example: "duration(self.n): found no matching overload" },
  { since: "1.37", area: "cel", text: "keys of maps may be named in backquotes; properties keep their escaped names", example: "self.labels.`a-b`, but self.a__dash__b" },
  { since: "1.37", area: "cel", text: "quantity.add and sub leave their receiver as it is", example: "[quantity('8Ei')].map(q, [q.add(1), q])" },
  { since: "1.37", area: "cost", text: "metadata.name counts 253 characters in estimates instead of the request limit", example: "CRDs with rules about self.metadata.name are accepted that were too expensive" },
  { since: "1.37", area: "cost", text: "when evaluated, startsWith and endsWith cost what the prefix or suffix is long, not the text", example: "self.image.startsWith('registry/')" },
  { since: "1.37", area: "output", text: "kubectl get crd shows scope and versions", example: "NAME SCOPE VERSIONS CREATED AT" },
  { since: "1.37", area: "output", text: "all failures of policies with action Audit are in the audit annotation, at most 50", example: "validation.policy.admission.k8s.io/validation_failure" },
  { since: "1.37", area: "validation", text: "managed fields with text after a path element are not read", example: "k:{\"name\":\"a\"}x in fieldsV1" },
  { since: "1.37", area: "message", text: "device requests, claims and slices are validated declaratively", example: "shareID: must be a lowercase UUID in 8-4-4-4-12 format" },
  { since: "1.36", area: "validation", text: "addresses must be written in the standard form", example: "externalIPs: [010.0.0.1] is refused" },
  { since: "1.36", area: "validation", text: "names of services may begin with a digit", example: "metadata: {name: 1st} is accepted" },
  { since: "1.36", area: "validation", text: "a container may restart all containers of its pod", example: "restartPolicyRules: [{action: RestartAllContainers, …}]" },
  { since: "1.36", area: "message", text: "values that are missing are required, where they were not supported or invalid", example: "handler: Required value, not Invalid value: \"\"" },
  { since: "1.36", area: "message", text: "fields of a StorageClass that may not change are immutable, not forbidden", example: "provisioner: Invalid value: \"c/d\": field is immutable" },
  { since: "1.36", area: "warning", text: "services with external addresses are warned about", example: "spec.externalIPs is deprecated and may no longer be implemented in some clusters" },
  { since: "1.35", area: "message", text: "a failed rule of a CRD shows the value instead of its type", example: "spec.n: Invalid value: 5, not \"integer\"" },
  { since: "1.35", area: "message", text: "label keys are called so, and their lengths are in bytes", example: "a valid label key must consist of, not a qualified name must consist of" },
  { since: "1.34", area: "validation", text: "claim templates of stateful sets are validated, and targets of autoscalers name an API group", example: "scaleTargetRef: {apiVersion: v1, kind: Deployment} is refused" },
  { since: "1.34", area: "validation", text: "an item of a keyed list needs one of its keys in an apply, not all of them", example: "keys [port, name], items: [{port: 80}]" },
  { since: "1.34", area: "validation", text: "a patch of a mutating webhook that cannot be decoded is a failed call", example: "failurePolicy: Ignore accepts the request" },
  { since: "1.35", area: "output", text: "DeleteOptions that cannot be decoded are a bad request", example: "code 400 instead of 500" },
  { since: "1.34", area: "output", text: "objects without a creation time do not show it as null", example: "spec.template.metadata: {labels: …}" },
  { since: "1.33", area: "output", text: "lists with a malformed resourceVersion are a bad request, and aggregated discovery is v2 only", example: "resourceVersion=abc: code 400 instead of 500" },
  { since: "1.34", area: "message", text: "messages do not repeat the name of the field", example: "message: must not contain line breaks, not message must not contain line breaks" },
  { since: "1.36", area: "message", text: "a fraction for an integer of a custom resource is reported twice", example: "Checked value must be of type integer (default format)" },
  { since: "1.36", area: "validation", text: "a bound that the type of a number cannot hold is an error of each value", example: "type: integer, minimum: -9223372036854775808" },
  { since: "1.36", area: "warning", text: "formats of all types in CRDs are warned about, not of strings only", example: "format: date-time on an object" },
  { since: "1.34", area: "cel", text: "objects are equal if both lack a field or have it as null, or under a name that is escaped", example: "self == oldSelf with my-field: a was false" },
  { since: "1.34", area: "cost", text: "estimates use maxLength of fields that are x-kubernetes-int-or-string", example: "x-kubernetes-int-or-string: true, maxLength: 10" },
  { since: "1.34", area: "cel", text: "lastIndexOf finds nothing in an empty text", example: "''.lastIndexOf('a') == -1 instead of index out of range: -1" },
  { since: "1.33", area: "cost", text: "estimates follow sizes through variables, entries of literals and dyn", example: "CRDs with rules that compare dyn values are accepted that were too expensive" },
  { since: "1.33", area: "cel", text: "format writes %e without narrow spaces", example: "'%e'.format([1000.0]) == '1.000000×10⁰³'" },
  { since: "1.33", area: "cel", text: "optionals have first, last and unwrapOpt", example: "[1, 2].first()" },
  { since: "1.33", area: "validation", text: "fields of features that are off are dropped from the status of a pod, too", example: "status.containerStatuses[0].allocatedResourcesStatus is dropped instead of validated" },
  { since: "1.33", area: "output", text: "/version names the emulated and the compatible version", example: "emulationMinor: \"33\"" },
  { since: "1.34", area: "warning", text: "formats in CRDs that are not known are warned about", example: "unrecognized format \"foo\"" },
  { since: "1.33", area: "validation", text: "updates of the status of custom resources are ratcheted", example: "a bad status that does not change is kept" },
  { since: "1.33", area: "warning", text: "addresses in other forms are warned about in all kinds, and port names that are used twice", example: "non-standard IP address \"010.0.0.1\" will be considered invalid" },
  { since: "1.34", area: "message", text: "values that are lists or objects are printed as JSON instead of Go", example: "Invalid value: {\"a\":1}, not map[string]interface {}{\"a\":1}" },
  { since: "1.34", area: "message", text: "what may not change of a pod, a claim or a volume is shown as lines of JSON instead of Go", example: "+ \"HostNetwork\": true, not + HostNetwork: true" },
  { since: "1.32", area: "validation", text: "the QoS class of a pod cannot be changed, and names of environment variables may have any printable characters", example: "env: [{name: \"A B\"}] is accepted" },
  { since: "1.32", area: "message", text: "fields that are too long are so in other words", example: "Too long: may not be more than 63 bytes, not must have at most 63 bytes" },
  { since: "1.31", area: "validation", text: "the data of a ControllerRevision must be an object", example: "data: 5 is refused" },
  { since: "1.32", area: "cel", text: "authorization checks in expressions take field and label selectors", example: "authorizer.group('').resource('pods').fieldSelector('a=b').check('list')" },
];
