/**
 * The path from a root to one field, as error messages print it.
 *
 * Follows apimachinery util/validation/field/path.go. Paths are immutable and share their parents, so extending
 * one while walking an object costs one small allocation; text is made only when somebody asks for it.
 */

export class FieldPath {
  readonly parent: FieldPath | undefined;
  /** The field's name, or "" when this element is a subscript. */
  readonly name: string;
  /** The list index or map key of a subscript. */
  readonly subscript: string | number;

  constructor(parent: FieldPath | undefined, name: string, subscript: string | number) {
    this.parent = parent;
    this.name = name;
    this.subscript = subscript;
  }

  child(name: string, ...more: string[]): FieldPath {
    let path = new FieldPath(asParent(this), name, "");
    for (const next of more) path = new FieldPath(path, next, "");
    return path;
  }

  index(index: number): FieldPath {
    return new FieldPath(asParent(this), "", index);
  }

  key(key: string): FieldPath {
    return new FieldPath(asParent(this), "", key);
  }

  toString(): string {
    if (this === nilPath) return "<nil>";
    const elements: FieldPath[] = [];
    for (let path: FieldPath | undefined = this; path !== undefined; path = path.parent) elements.push(path);
    let text = "";
    for (let i = elements.length - 1; i >= 0; i--) text += renderElement(elements[i]);
    return text;
  }
}

/** Go's nil path. It prints as `<nil>`; its children are roots. */
export const nilPath: FieldPath = new FieldPath(undefined, "", "");

export function newPath(name: string, ...more: string[]): FieldPath {
  return nilPath.child(name, ...more);
}

function asParent(path: FieldPath): FieldPath | undefined {
  return path === nilPath ? undefined : path;
}

// A nameless element is a subscript, so an empty name prints as `[]`.
function renderElement(element: FieldPath | undefined): string {
  if (element === undefined) return "";
  if (element.name === "") return `[${element.subscript}]`;
  return element.parent === undefined ? element.name : `.${element.name}`;
}
