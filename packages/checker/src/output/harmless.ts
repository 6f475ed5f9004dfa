/** Text from a file or a server must not move the cursor, change colours or change the text direction of a terminal. */

const HARMFUL = /[^\P{Cc}\t]|[\u202a-\u202e\u2066-\u2069]/gu;
const HARMFUL_IN_LINES = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

export function harmless(text: string): string {
  return text.replaceAll(HARMFUL, "\ufffd");
}

/** The same for text of several lines. */
export function harmlessLines(text: string): string {
  return text.replaceAll(HARMFUL_IN_LINES, "\ufffd");
}
