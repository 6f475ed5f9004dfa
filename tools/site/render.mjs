/** Markdown to HTML: headings get anchors, links between documents become links between pages. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { Marked } from "marked";
import { root } from "../check/repository.mjs";

const HOME = "https://github.com/portcullis-dev/portcullis";

/** `urls` maps sources to pages of the site; `assets` collects images. */
export function renderPage({ source, url, text }, urls, assets) {
  const headings = [];
  const links = [];
  const taken = new Set();
  const renderer = {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      const id = unique(slug(plain(html)), taken);
      headings.push({ id, depth, text: plain(html) });
      return `<h${depth} id="${id}">${html}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const target = resolveLink(href, source, url, urls);
      links.push(target);
      return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`;
    },
    image({ href, text: alt }) {
      assets.add(path.posix.join(path.posix.dirname(source), href));
      const target = path.posix.join(path.posix.dirname(source), href);
      return `<img src="${escapeHtml(relative(url, `assets/${path.posix.basename(target)}`))}" alt="${escapeHtml(alt)}">`;
    },
    code({ text: body, lang = "" }) {
      const title = /title=(\S+)/.exec(lang)?.[1];
      const caption = title === undefined ? "" : `<figcaption>${escapeHtml(title)}</figcaption>`;
      const label = title ?? (lang.split(" ")[0] || "text");
      return `<figure>${caption}<pre tabindex="0" role="region" aria-label="${escapeHtml(`${label}, block ${unique("b", taken)}`)}"><code>${escapeHtml(body)}</code></pre></figure>\n`;
    },
    table(token) {
      const cells = (row, tag) =>
        row.map((each) => `<${tag}>${this.parser.parseInline(each.tokens)}</${tag}>`).join("");
      const head = token.header.map((each) => {
        const html = this.parser.parseInline(each.tokens);
        return html === "" ? "<td></td>" : `<th scope="col">${html}</th>`;
      });
      const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
      const label = `table ${unique("t", taken)}`;
      return `<div class="table" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${head.join("")}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
    },
    html({ text: raw }) {
      return raw.startsWith("<!--") ? "" : escapeHtml(raw);
    },
  };
  const html = new Marked({ renderer, gfm: true }).parse(text);
  return { html, headings, links };
}

function resolveLink(href, source, url, urls) {
  const own = href.replace(new RegExp(`^${HOME}/(?:blob|tree)/main/`), "/");
  if (/^[a-z]+:/.test(own)) return own;
  const [file, anchor] = own.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (file === "") return hash;
  const place = file.startsWith("/") ? file.slice(1) : path.posix.join(path.posix.dirname(source), file);
  const target = place.replace(/\/$/, "");
  const page = urls.get(target) ?? urls.get(`${target}/README.md`) ?? (target.endsWith(".html") ? target : undefined);
  if (page !== undefined) return `${relative(url, page)}${hash}`;
  if (!existsSync(path.join(root, target))) throw new Error(`${source}: ${href} leads nowhere`);
  return `${HOME}/${statSync(path.join(root, target)).isDirectory() ? "tree" : "blob"}/main/${target}${hash}`;
}

export function relative(from, to) {
  return path.posix.relative(path.posix.dirname(from), to);
}

function slug(text) {
  const letters = text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return letters.replaceAll(" ", "-") || "section";
}

function unique(id, taken) {
  let found = id;
  for (let count = 1; taken.has(found); count++) found = `${id}-${count}`;
  taken.add(found);
  return found;
}

/** The text of inline HTML. */
export function plain(html) {
  const bare = html.replaceAll(/<[^>]*>/g, "");
  return bare
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

export function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
