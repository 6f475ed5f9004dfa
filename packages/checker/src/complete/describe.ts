/** Fields and functions in Markdown, for editors that show it beside the text. */
import type { FunctionReference } from "@portcullis/cel";
import type { View } from "./view.ts";

export function describeField(name: string, view: View, isRequired = false): string {
  const head = `**${name}** \`${view.type}\`${isRequired ? ", required" : ""}`;
  const bounds = (view.bounds ?? []).map((bound) => `- \`${bound}\``).join("\n");
  const values = view.values.length === 0 ? "" : `one of ${view.values.map((each) => `\`${each}\``).join(", ")}`;
  const link = view.link === undefined ? "" : `[API reference](${view.link})`;
  return [head, view.about, values, bounds, link].filter((part) => part !== "").join("\n\n");
}

export function describeFunction(overloads: readonly FunctionReference[]): string {
  const signatures = overloads.map(signatureOf).join("\n");
  const [first] = overloads;
  const example = first?.example === undefined || first.example === "" ? "" : `for example \`${first.example}\``;
  return [`\`\`\`cel\n${signatures}\n\`\`\``, first?.doc ?? "", example].filter((part) => part !== "").join("\n\n");
}

export function signatureOf({ name, signature, receiverText }: FunctionReference): string {
  return `${receiverText === "" ? "" : `<${receiverText}>.`}${name}${signature}`;
}
