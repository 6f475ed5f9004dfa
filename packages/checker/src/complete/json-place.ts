/** The position of the cursor in a JSON text that is being written: the text before it is enough. */
import type { ManifestPlace } from "./yaml-place.ts";

interface Container {
  readonly isList: boolean;
  readonly keys: string[];
  /** The key whose value follows, or the index of the item. */
  key: string | undefined;
  index: number;
}

const TOKEN = /"((?:[^"\\\n]|\\.)*)("?)|[{}[\],:]|[^\s{}[\],:"]+/g;

export function jsonPlaceAt(text: string, offset: number): ManifestPlace | undefined {
  const before = text.slice(0, offset);
  const open: Container[] = [];
  let last: { readonly start: number; readonly text: string; readonly isOpen: boolean } | undefined;
  for (const match of before.matchAll(TOKEN)) {
    const [token, inside = "", closing] = match;
    last = undefined;
    const top = open.at(-1);
    if (token === "{" || token === "[") open.push({ isList: token === "[", keys: [], key: undefined, index: 0 });
    else if (token === "}" || token === "]") open.pop();
    else if (token === ",") next(top);
    else if (token !== ":") {
      const isText = token.startsWith('"');
      const ends = match.index + token.length === before.length && (!isText || closing === "");
      if (ends) last = { start: match.index, text: isText ? inside : token, isOpen: isText };
      else if (isText && top !== undefined && !top.isList && top.key === undefined) addKey(top, inside);
    }
  }
  return placeIn(open, { text, offset, written: last });
}

function next(container: Container | undefined): void {
  if (container === undefined) return;
  container.key = undefined;
  container.index++;
}

function addKey(container: Container, key: string): void {
  container.key = key;
  container.keys.push(key);
}

interface Written {
  readonly text: string;
  readonly offset: number;
  readonly written: { readonly start: number; readonly text: string; readonly isOpen: boolean } | undefined;
}

function placeIn(open: readonly Container[], { text, offset, written }: Written): ManifestPlace | undefined {
  const top = open.at(-1);
  if (top === undefined) return undefined;
  const outer = open.slice(0, -1).map(stepOf);
  const at = !top.isList && top.key === undefined ? "key" : "value";
  return {
    path: at === "key" ? outer : [...outer, stepOf(top)],
    at,
    written: written?.text ?? "",
    from: written?.start ?? offset,
    taken: top.keys,
    indent: 0,
    document: text,
    isJson: true,
  };
}

function stepOf({ isList, key = "", index }: Container): string | number {
  return isList ? index : key;
}
