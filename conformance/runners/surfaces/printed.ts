/** What kubectl prints of a recorded refusal. Follows kubectl pkg/cmd/util/helpers.go. */
import type { Outcome } from "../vectors/vector.ts";

type Json = ReturnType<typeof JSON.parse>;

export function printedRefusal({ reason = "", message = "", causes = [] }: Outcome): string {
  const [, kind = "", name = ""] = /^([^\s."]+)\S* "(.*?)" is (?:invalid|forbidden)/s.exec(message) ?? [];
  if (reason !== "Invalid") return `Error from server${reason === "" ? "" : ` (${reason})`}: ${message}`;
  const texts = new Set(causes.map(({ field, message: text }: Json) => `${field}: ${text}`));
  const head = `The ${kind} "${name}" is invalid`;
  return texts.size <= 1 ? `${head}: ${[...texts].join("")}` : [`${head}: `, ...[...texts].map((text) => `* ${text}`)].join("\n");
}
