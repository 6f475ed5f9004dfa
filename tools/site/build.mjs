/**
 * Builds the documentation and the playground as one static site without a server side: `npm run docs` writes dist/site.
 *
 *   node tools/site/build.mjs [FOLDER]
 *
 * Links are relative, so the site works under any path and from a folder. A link that leads nowhere fails the build.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../check/repository.mjs";
import { writtenPages } from "./pages.mjs";
import { referencePages } from "./reference.mjs";
import { escapeHtml, relative, renderPage } from "./render.mjs";
import { searchScript } from "./search.mjs";

const target = path.resolve(process.argv[2] ?? path.join(root, "dist", "site"));
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'none'; base-uri 'none'; form-action 'none'";

const written = writtenPages();
const sections = [...written.slice(0, 3), await referencePages(), ...written.slice(3)];
const pages = sections.flatMap((section) => section.pages);
const urls = new Map(pages.map(({ source, url }) => [source, url]));
const assets = new Set();
const rendered = pages.map((page) => ({ ...page, ...renderPage(page, urls, assets) }));
checkLinks(rendered);

rmSync(target, { recursive: true, force: true });
for (const page of rendered) write(page.url, layout(page));
write("search-index.js", searchScript(rendered));
mkdirSync(path.join(target, "assets"), { recursive: true });
for (const asset of assets) copyFileSync(path.join(root, asset), path.join(target, "assets", path.basename(asset)));
cpSync(path.join(root, "tools/site/page"), path.join(target, "assets"), { recursive: true });
execFileSync(process.execPath, [path.join(root, "packages/playground/build.mjs"), path.join(target, "playground")], {
  stdio: ["ignore", "ignore", "inherit"],
});
for (const name of ["LICENSE", "packages/cli/THIRD_PARTY_NOTICES"])
  if (existsSync(path.join(root, name))) copyFileSync(path.join(root, name), path.join(target, path.basename(name)));
console.error(`${rendered.length} pages in ${path.relative(root, target) || target}`);

function write(name, text) {
  const file = path.join(target, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Pages of other sections are one click away; those of this section are listed. */
function navigation(current) {
  return sections
    .filter(({ pages: listed }) => listed.length > 0)
    .map(({ title, pages: listed }) => {
      const isOpen = listed.length < 9 || listed.some(({ url }) => url === current);
      const shown = isOpen ? listed : listed.slice(0, 1);
      return `<h2>${escapeHtml(title)}</h2><ul>${shown.map((page) => item(page, current)).join("")}</ul>`;
    })
    .join("\n");
}

function item({ url, title }, current) {
  const mark = url === current ? ' aria-current="page"' : "";
  return `<li><a href="${relative(current, url)}"${mark}>${escapeHtml(title)}</a></li>`;
}

function layout({ url, title, html }) {
  const up = relative(url, "index.html").replace(/index\.html$/, "");
  const name = title === "Portcullis" ? title : `${title} – Portcullis`;
  return `<!doctype html>
<html lang="en" data-root="${up}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}assets/site.css">
<script src="${up}assets/site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${up}index.html">Portcullis</a>
<a href="${up}docs/index.html">Documentation</a>
<a href="${up}reference/index.html">Reference</a>
<a href="${up}playground/index.html">Playground</a>
<form role="search"><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><div id="results" role="status" aria-live="polite" hidden></div></form>
</header>
<div class="layout">
<nav class="side" aria-label="Pages">
${navigation(url)}
</nav>
<main id="content">
${html}
</main>
</div>
<footer>Apache-2.0 · <a href="https://github.com/portcullis-dev/portcullis">Source</a> · <a href="${up}security.html">Security</a></footer>
</body>
</html>
`;
}

function checkLinks(all) {
  const anchors = new Map(all.map(({ url, headings }) => [url, new Set(headings.map(({ id }) => id))]));
  const broken = all.flatMap(({ source, url, links }) =>
    links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file, anchor] = link.split("#");
        const place = file === "" ? url : path.posix.join(path.posix.dirname(url), file);
        return !anchors.has(place) || (anchor !== undefined && !anchors.get(place).has(anchor));
      })
      .map((link) => `${source}: ${link} leads nowhere`),
  );
  for (const line of broken) console.error(line);
  if (broken.length > 0) process.exit(1);
}
