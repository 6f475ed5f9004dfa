/** What kubectl prints of a recorded refusal. Follows kubectl pkg/cmd/util/helpers.go. */
import type { Outcome } from "../vectors/vector.ts";

type Json = ReturnType<typeof JSON.parse>;

export function printedRefusal({ code, reason, message = "", causes }: Outcome): string {
  const isInvalid = reason === "Invalid" || (reason === undefined && code === 422);
  if (!isInvalid) return `Error from server${reason ? ` (${reason})` : ""}: ${message}`;
  // A record without causes is that of a policy, whose cause has no field.
  const found = causes ?? [{ field: "", message: message.replace(/^.*? is forbidden: /s, "") }];
  const texts = new Set(found.map(({ field, message: text }: Json) => `${field}: ${text}`));
  const head = "The object is invalid: ";
  return texts.size <= 1
    ? `${head}${[...texts].join("")}`
    : [head, ...[...texts].map((text) => `* ${text}`)].join("\n");
}
