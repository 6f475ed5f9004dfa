/** The messages of the write pipeline. */

/** How apimachinery's accessors complain about a value of the wrong type. */
export function accessorError(path: string, value: string, found: string, expected: string): string {
  return `${path} accessor error: ${value} is of the type ${found}, expected ${expected}`;
}

export function badGroupVersion(text: string): string {
  return `unexpected GroupVersion string: ${text}`;
}

export function metadataNotAnObject(found: string): string {
  return `invalid metadata: expected object, got ${found}`;
}

export function cannotHandle(kind: string, version: string, reason: string): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}: ${reason}`;
}

export function mustBe(expected: string): string {
  return `must be ${expected}`;
}

export function notNegativeInteger(): string {
  return "should be a non-negative integer";
}

export function atMost(max: number): string {
  return `should be less than or equal to ${max}`;
}

export function preferQualifiedFinalizer(quotedName: string, hasDot: boolean): string {
  const including = hasDot ? " including a path (/)" : "";
  return `metadata.finalizers: ${quotedName}: prefer a domain-qualified finalizer name${including} to avoid accidental conflicts with other finalizer writers`;
}

export function badFinalizer(quotedName: string, problem: string): string {
  return `metadata.finalizers: ${quotedName}: ${problem}`;
}

export function namespaceMismatch(): string {
  return "the namespace of the provided object does not match the namespace sent on the request";
}

export function versionMismatch(found: string, expected: string): string {
  return `the API version in the data (${found}) does not match the expected API version (${expected})`;
}

/** `kind` is as Go prints it. */
export function notUnstructured(kind: string, error: string): string {
  return `unable to convert unstructured object to ${kind}: ${error}`;
}

export function kindMissing(text: string): string {
  return `Object 'Kind' is missing in '${text}'`;
}

/** Ours: upstream allows 10,000 levels. */
export function tooDeep(limit: number): string {
  return `the object is nested more than ${limit} levels deep`;
}
