/**
 * Finds the field of an object that a policy complains about.
 *
 * Policies have no field paths. A path in the message that exists in the object is the field its author means.
 * Otherwise it is the common prefix of everything the failed expression reads from the object, such as `spec.replicas`
 * for `object.spec.replicas <= variables.max`.
 */
import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";

/** "" is the whole object. */
export function blamedField(message: string, expression: string, policy: AdmissionPolicy, object: JsonObject): string {
  return pathInMessage(message, object) ?? commonPath(readPaths(expression, policy, 0));
}

const PATH = /(?<![\w.'"/-])[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\])+/g;

function pathInMessage(message: string, object: JsonObject): string | undefined {
  const paths = [...message.matchAll(PATH)].map(([path]) => path.replace(/^object\./, ""));
  return paths.find((path) => leadsSomewhere(segmentsOf(path), object));
}

function segmentsOf(path: string): string[] {
  return path.match(/\[\d+\]|[^.[\]]+/g) ?? [];
}

function leadsSomewhere([first, ...rest]: readonly string[], value: JsonValue | undefined): boolean {
  if (value === undefined) return false;
  if (first === undefined) return true;
  const index = /^\[(\d+)\]$/.exec(first)?.[1];
  if (index !== undefined) return isArray(value) && leadsSomewhere(rest, value[Number(index)]);
  return isObject(value) && leadsSomewhere(rest, value[first]);
}

/** A name, then members by dot, by quoted key or by number. */
const READ = /\b(object|variables)((?:\.\??[A-Za-z_]\w*(?!\w|\s*\()|\[\??'[^']*'\]|\[\??"[^"]*"\]|\[\d+\])+)/g;
const MAX_DEPTH = 10;

/** Each as segments; variables are replaced by what they read. */
function readPaths(expression: string, policy: AdmissionPolicy, depth: number): readonly (readonly string[])[] {
  return [...expression.matchAll(READ)].flatMap(([, root, members = ""]) => {
    const segments = memberNames(members);
    if (root === "object") return [segments];
    const [name, ...rest] = segments;
    const variable = policy.variables.findLast((each) => each.name === name);
    if (variable === undefined || depth === MAX_DEPTH) return [];
    const inner = readPaths(variable.expression, policy, depth + 1);
    return isPlainRead(variable.expression) ? inner.map((path) => [...path, ...rest]) : inner;
  });
}

function memberNames(members: string): string[] {
  const parts = members.match(/\.\??\w+|\[[^\]]*\]/g) ?? [];
  return parts.map((part) => (/^\[\d+\]$/.test(part) ? part : part.replace(/^\.\??|^\[\??['"]|['"]\]$/g, "")));
}

/** Whether members of the result are members of the object that was read. */
function isPlainRead(expression: string): boolean {
  return /^\s*(?:object|variables)(?:\.[A-Za-z_]\w*|\[\d+\])*\s*$/.test(expression);
}

function commonPath(paths: readonly (readonly string[])[]): string {
  const [first = [], ...others] = paths;
  const length = others.reduce((shared, path) => {
    const differs = first.findIndex((segment, index) => segment !== path[index]);
    return Math.min(shared, differs === -1 ? first.length : differs);
  }, first.length);
  return first
    .slice(0, length)
    .map((segment, index) => (index === 0 || segment.startsWith("[") ? segment : `.${segment}`))
    .join("");
}
