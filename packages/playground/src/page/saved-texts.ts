/**
 * Keeps the texts in the browser, so that a reload loses nothing: those of this tab, and for a new tab the last ones of
 * any tab. Nothing leaves the browser.
 */
import { isRecord, readState, type State } from "../state.ts";

const KEY = "portcullis-texts";

export interface SavedTexts {
  readonly state: State;
  /** The name of the example that they started from. */
  readonly example: string | undefined;
}

/** Storage may be forbidden or full; then nothing is kept. */
export function saveTexts({ state, example }: SavedTexts): void {
  const text = JSON.stringify({ state, example });
  for (const storage of storages()) {
    try {
      storage.setItem(KEY, text);
    } catch {
      storage.removeItem(KEY);
    }
  }
}

export function loadTexts(): SavedTexts | undefined {
  for (const storage of storages()) {
    const saved = parse(storage.getItem(KEY));
    if (saved !== undefined) return saved;
  }
  return undefined;
}

/** The tab's own storage first. */
function storages(): Storage[] {
  try {
    return [sessionStorage, localStorage];
  } catch {
    return [];
  }
}

function parse(text: string | null): SavedTexts | undefined {
  try {
    const json: unknown = JSON.parse(text ?? "null");
    if (!isRecord(json)) return undefined;
    const example = json["example"];
    return { state: readState(json["state"]), example: typeof example === "string" ? example : undefined };
  } catch {
    return undefined;
  }
}
