/** The address of the page: an example by name, or all texts in a link. */
import { fromFragment, toFragment } from "../share.ts";
import type { State } from "../state.ts";

export type Notify = (text: string) => void;

/** The example that the address names. */
export function exampleInAddress(): string | undefined {
  return /^#example=(.*)$/.exec(location.hash)?.[1];
}

export function showExampleInAddress(name: string): void {
  history.replaceState(null, "", `#example=${name}`);
}

/** The address no longer has what is in the texts, so a reload must not use it. */
export function clearAddress(): void {
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
}

/** Undefined if the address has no texts, or if they cannot be read. */
export async function textsInAddress(notify: Notify): Promise<State | undefined> {
  try {
    return await fromFragment(location.hash);
  } catch (problem) {
    notify(`This link is not valid: ${problem instanceof Error ? problem.message : String(problem)}`);
    return undefined;
  }
}

export async function shareTexts(state: State, notify: Notify): Promise<void> {
  const fragment = await toFragment(state);
  history.replaceState(null, "", fragment);
  const size = `${Math.ceil(fragment.length / 100) / 10} kB`;
  const copied = await navigator.clipboard.writeText(location.href).then(
    () => true,
    () => false,
  );
  notify(
    `${copied ? "The link is on the clipboard" : "The link is in the address bar"} (${size}). It contains all texts; nothing is stored anywhere else.`,
  );
}
