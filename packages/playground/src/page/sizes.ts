/** Sizes that the user chose, kept in the browser. */
import { isRecord } from "../state.ts";

const KEY = "portcullis-sizes";

export function savedSize(name: string): number | undefined {
  const size = savedSizes()[name];
  return typeof size === "number" && Number.isFinite(size) && size > 0 ? size : undefined;
}

/** Undefined forgets it. Storage may be forbidden; then sizes last until the page is closed. */
export function saveSize(name: string, size: number | undefined): void {
  try {
    const { [name]: _, ...others } = savedSizes();
    localStorage.setItem(KEY, JSON.stringify(size === undefined ? others : { ...others, [name]: size }));
  } catch {
    // Nothing is lost but the memory of it.
  }
}

function savedSizes(): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return isRecord(json) ? json : {};
  } catch {
    return {};
  }
}
