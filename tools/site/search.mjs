/** A search index that is built once and needs no server: sections of all pages, and the words they contain. */
import { plain } from "./render.mjs";

const EXCERPT = 160;

/** The script that the page loads when somebody searches. */
export function searchScript(pages) {
  const sections = pages.flatMap(sectionsOf);
  const words = new Map();
  for (const [at, { text, heading, title }] of sections.entries()) {
    for (const word of wordsOf(`${title} ${heading} ${text}`)) words.set(word, [...(words.get(word) ?? []), at]);
  }
  const data = {
    sections: sections.map(({ url, title, heading, text }) => [url, title, heading, text.slice(0, EXCERPT)]),
    words: Object.fromEntries([...words].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
  return `globalThis.portcullisIndex = ${JSON.stringify(data)};\n`;
}

function sectionsOf({ url, title, html }) {
  return html.split(/(?=<h[1-3] id=")/).flatMap((part) => {
    const head = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/.exec(part);
    const body = part.slice(head?.[0].length ?? 0).replaceAll(/<\/(?:td|th|li|p|pre|h\d)>/g, " $&");
    const text = plain(body).replaceAll(/\s+/g, " ").trim();
    if (head === null && text === "") return [];
    return [
      { url: head === null ? url : `${url}#${head[1]}`, title, heading: head === null ? "" : plain(head[2]), text },
    ];
  });
}

/** Also the parts of `schema/not-found`, `--fail-on` and `matchConstraints`. */
function wordsOf(text) {
  const found = text.toLowerCase().match(/[\p{L}\p{N}_]{2,40}/gu) ?? [];
  return new Set(found.filter((word) => !/^\d+$/.test(word)));
}
