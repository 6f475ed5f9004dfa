/** The messages of the policy commands. */

export const unknownKind = (apiVersion: string, kind: string): string =>
  `no kind ${kind} in ${apiVersion} is known; its resource was guessed and no defaults were applied`;
export const notValid = (errors: string): string =>
  `the API server would refuse the object before it asks any policy: ${errors}`;
export const noConversion = (from: string, to: string): string =>
  `${from} cannot be converted to ${to}: its CRD uses a conversion webhook`;
export const noSuchVersion = (kind: string): string => `there is no ${kind} among the inputs and the built-in kinds`;
export const requestWithoutObject = (): string => "a request needs an `object`, an `oldObject`, or a `resource`";
export const unknownOperation = (text: string): string =>
  `unknown operation \`${text}\`; one of CREATE, UPDATE, DELETE, CONNECT`;
export const unknownField = (place: string, field: string, known: readonly string[]): string =>
  `${place} has an unknown field \`${field}\`; known are ${known.join(", ")}`;
export const notOf = (place: string, wanted: string): string => `${place} must be ${wanted}`;
export const badResource = (text: string): string =>
  `\`${text}\` is not a resource; use \`pods\`, \`deployments.apps\` or \`apps/v1/deployments\``;
export const unknownResource = (text: string): string =>
  `no resource \`${text}\` is known; name its CustomResourceDefinition among the inputs or write GROUP/VERSION/RESOURCE`;
export const badPattern = (pattern: string, problem: string): string =>
  `\`/${pattern}/\` is not a valid pattern: ${problem}`;
export const severalObjects = (path: string, count: number): string =>
  `\`${path}\` holds ${count} objects where one is wanted; \`FILE#NAME\` picks one`;
export const noObjectIn = (path: string): string => `there is no such object in \`${path}\``;
export const unreadable = (file: string, problem: string): string => `${file}: ${problem}`;

export const noTests = (file: string): string => `${file}: the suite has no tests`;
export const noSuitesIn = (folder: string): string => `${folder}: no test suites found`;
export const noSuchFile = (path: string): string => `${path}: no such file or folder`;
export const notASuite = (file: string): string =>
  `${file}: not a test suite; known are TestSuite, and the files of openshift/api, kyverno, gator, kaptest and kubescape`;
export const missingField = (place: string, field: string): string => `${place}: \`${field}\` is missing`;
export const oneWrite = (place: string): string =>
  `${place}: a write is one of create, update, status, change, delete, live, crd and patchCrd`;
export const valueOrError = (place: string): string =>
  `${place}: an expression needs either \`value\` or \`expect: error\``;
export const noPolicyInSuite = (file: string): string => `${file}: there is no policy to test`;
export const unsupportedPolicy = (file: string, kind: string): string =>
  `${file}: ${kind} is not a ValidatingAdmissionPolicy and cannot be tested here`;
export const notConverted = (refusal: string): string => `the policy needs more than Kubernetes has: ${refusal}`;
export const appliedAnyway = (policy: string, resource: string, reason: string): string =>
  `${policy} is applied to ${resource} as the tool does; a cluster would not apply it: ${reason}`;
export const refusedPolicy = (refusal: string): string => `the API server would refuse this: ${refusal}`;
export const unsupportedFeature = (file: string, place: string, why: string): string => `${file}: ${place}: ${why}`;
export const unknownExpectation = (place: string, text: string, known: readonly string[]): string =>
  `${place}: unknown expectation \`${text}\`; one of ${known.join(", ")}`;
export const draftPolicy = (name: string): string =>
  `the policy \`${name}\` is in the format of the KEP-3488 draft; \`portcullis policy convert\` converts it to v1`;
/** The text kubectl prints. */
export const otherNamespace = (own: string, asked: string): string =>
  `the namespace from the provided object "${own}" does not match the namespace "${asked}". You must pass '--namespace=${own}' to perform this operation.`;

export const unboundPolicy = (name: string): string => `the policy \`${name}\` has no binding, so it does nothing`;
