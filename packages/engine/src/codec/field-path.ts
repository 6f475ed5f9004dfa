/** The path in a text about an unknown or duplicate field. Kinds with a Go type escape it, custom resources do not. */
export function fieldPath(message: string): string {
  const quoted = /^[a-z ]+field "(.*)"$/s.exec(message)?.[1] ?? "";
  if (!quoted.includes("\\")) return quoted;
  try {
    const text: unknown = JSON.parse(`"${quoted}"`);
    return typeof text === "string" ? text : quoted;
  } catch {
    // Not escaped: a key with a backslash.
    return quoted;
  }
}
