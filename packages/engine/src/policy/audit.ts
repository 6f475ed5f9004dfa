/**
 * What policies leave in the audit log.
 *
 * An annotation that is set is never replaced, so of several failures only the first is recorded up to 1.36. Since 1.37
 * all of them are listed under the same key.
 */
import { jsonString } from "@portcullis/gostd/json-text";
import { byteLength, decodeUtf8, encodeUtf8 } from "@portcullis/gostd/utf8";
import type { PolicyBinding } from "./binding.ts";

const FAILURE_KEY = "validation.policy.admission.k8s.io/validation_failure";
const MAX_FAILURES = 50;
/** Bytes. */
const MAX_VALUE_LENGTH = 10 * 1024;

export interface AuditFailure {
  readonly message: string;
  readonly binding: PolicyBinding;
  readonly expressionIndex: number;
}

export class AuditAnnotations {
  readonly #annotations = new Map<string, string>();
  readonly #failures: AuditFailure[] = [];

  set(key: string, value: string): void {
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  addFailure(failure: AuditFailure): void {
    this.#failures.push(failure);
  }

  toMap(allFailures: boolean): ReadonlyMap<string, string> {
    const failures = this.#failures.slice(0, allFailures ? MAX_FAILURES : 1);
    if (failures.length === 0) return this.#annotations;
    return new Map([...this.#annotations, [FAILURE_KEY, `[${failures.map(failureText).join(",")}]`]]);
  }
}

/** The declared annotations of one policy, over all its bindings and params. */
export class AnnotationCollector {
  /** Made when it is needed, which is seldom. */
  #values: Map<string, Set<string>> | undefined;

  add(key: string, value: string): void {
    this.#values ??= new Map();
    const values = this.#values.get(key) ?? new Set();
    values.add(truncated(value));
    this.#values.set(key, values);
  }

  publish(policy: string, annotations: AuditAnnotations): void {
    if (this.#values === undefined) return;
    for (const [key, values] of this.#values) annotations.set(`${policy}/${key}`, [...values].join(", "));
  }
}

function truncated(value: string): string {
  return byteLength(value) <= MAX_VALUE_LENGTH ? value : decodeUtf8(encodeUtf8(value).slice(0, MAX_VALUE_LENGTH));
}

function failureText({ message, binding, expressionIndex }: AuditFailure): string {
  const quoted = (text: string): string => jsonString(text, { escapeHtml: true });
  const actions = binding.validationActions.map(quoted).join(",");
  return (
    `{"message":${quoted(message)},"policy":${quoted(binding.policyName)},"binding":${quoted(binding.name)},` +
    `"expressionIndex":${expressionIndex},"validationActions":[${actions}]}`
  );
}
