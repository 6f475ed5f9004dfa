/** Bindings by what they bind, so that a request looks at those of its user only. */
import { compareStrings } from "@portcullis/gostd/utf8";
import type { UserInfo } from "../kubecel/library/authz.ts";
import type { RoleBinding, Subject } from "./objects.ts";

export interface BoundSubject {
  readonly binding: RoleBinding;
  /** The first of the binding that is the user. */
  readonly subject: Subject;
}

interface IndexedSubject extends BoundSubject {
  /** The place of the binding in the order of names, and of the subject in the binding. */
  readonly place: number;
  readonly position: number;
}

/** The bindings of one namespace, or those of the whole cluster. */
export class BindingIndex {
  readonly #subjects = new Map<string, IndexedSubject[]>();

  constructor(bindings: readonly RoleBinding[]) {
    const sorted = [...bindings].sort((left, right) => compareStrings(left.name, right.name));
    sorted.forEach((binding, place) => {
      binding.subjects.forEach((subject, position) => {
        const key = keyOfSubject(subject, binding);
        if (key !== undefined) addTo(this.#subjects, key, { binding, subject, place, position });
      });
    });
  }

  /** In the order of names, each binding once. */
  find(user: UserInfo): readonly BoundSubject[] {
    const keys = [`User ${user.name}`, ...user.groups.map((group) => `Group ${group}`), `ServiceAccount ${user.name}`];
    const found = new Map<number, IndexedSubject>();
    for (const key of keys) {
      for (const each of this.#subjects.get(key) ?? []) {
        const known = found.get(each.place);
        if (known === undefined || each.position < known.position) found.set(each.place, each);
      }
    }
    return [...found.values()].sort((left, right) => left.place - right.place);
  }
}

/** Service accounts are users with a name of this form. */
function keyOfSubject({ kind, name, namespace }: Subject, binding: RoleBinding): string | undefined {
  if (kind === "User" || kind === "Group") return `${kind} ${name}`;
  const home = namespace || binding.namespace;
  return kind === "ServiceAccount" && home !== "" ? `${kind} system:serviceaccount:${home}:${name}` : undefined;
}

/** The indexes of all namespaces that have bindings. */
export function indexByNamespace(bindings: readonly RoleBinding[]): ReadonlyMap<string, BindingIndex> {
  const byNamespace = new Map<string, RoleBinding[]>();
  for (const binding of bindings) addTo(byNamespace, binding.namespace, binding);
  return new Map([...byNamespace].map(([namespace, own]) => [namespace, new BindingIndex(own)]));
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
