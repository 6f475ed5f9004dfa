/** The little Markdown that documentation of fields has: paragraphs, lists, code and bold text. */
import { h } from "./dom.ts";

export function markdown(text: string): HTMLElement[] {
  return text.split(/\n{2,}/).map((block) => {
    if (block.startsWith("```")) return h("pre", {}, block.replace(/^```.*\n/, "").replace(/\n```$/, ""));
    const lines = block.split("\n");
    if (!lines.every((line) => line.startsWith("- "))) return h("p", {}, ...inline(block));
    return h("ul", {}, ...lines.map((line) => h("li", {}, ...inline(line.slice("- ".length)))));
  });
}

function inline(text: string): (HTMLElement | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`.+`$/s.test(part)) return h("code", {}, part.slice(1, -1));
    return /^\*\*.+\*\*$/s.test(part) ? h("strong", {}, part.slice(2, -2)) : part;
  });
}
