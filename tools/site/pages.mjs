/** The pages of the site in the order of its navigation: where each is written, and what it is called. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../check/repository.mjs";
import { apiPages } from "./api.mjs";

const GUIDES = [
  "crd-authors",
  "platform-engineers",
  "policies",
  "controller-developers",
  "webhook",
  "playground",
  "ci",
];
const TOPICS = ["upgrade", "testing", "storage", "writes", "map-keys", "ratcheting", "designs", "architecture"];
const PACKAGES = ["engine", "checker", "lsp", "cel", "gostd", "server", "webhook", "cli"];

/** `source` is a path of the repository, `url` is relative to the root of the site. */
export function writtenPages() {
  return [
    section("Start", [page("README.md", "index.html", "Portcullis"), page("docs/README.md", "docs/index.html")]),
    section("Guides", GUIDES.map(docs)),
    section("Topics", [...TOPICS.map(docs), ...others()]),
    section("Designs", folder("docs/designs")),
    section("Comparison", folder("docs/compare")),
    section("Examples", [page("examples/policies/README.md", "examples/policies/index.html")]),
    section(
      "Packages",
      PACKAGES.map((name) => page(`packages/${name}/README.md`, `packages/${name}/index.html`)),
    ),
    { title: "API", pages: apiPages() },
    section("Project", [
      page("CONTRIBUTING.md", "contributing.html"),
      page("DIFFERENCES.md", "differences.html"),
      page("CHANGELOG.md", "changelog.html"),
      page("SECURITY.md", "security.html"),
      page("CODE_OF_CONDUCT.md", "code-of-conduct.html"),
      page("conformance/README.md", "conformance/index.html"),
    ]),
  ];
}

function section(title, pages) {
  return { title, pages: pages.filter(({ source }) => existsSync(path.join(root, source))) };
}

function docs(name) {
  return page(`docs/${name}.md`, `docs/${name}.html`);
}

/** Pages of `docs` that are not named above. */
function others() {
  const known = new Set([...GUIDES, ...TOPICS, "README"]);
  const names = readdirSync(path.join(root, "docs")).filter((name) => name.endsWith(".md"));
  return names
    .map((name) => name.slice(0, -".md".length))
    .filter((name) => !known.has(name))
    .map(docs);
}

function folder(source) {
  const names = readdirSync(path.join(root, source)).filter((name) => name.endsWith(".md"));
  const sorted = ["README.md", ...names.filter((name) => name !== "README.md").sort()];
  return sorted.map((name) =>
    page(`${source}/${name}`, `${source}/${name === "README.md" ? "index" : name.slice(0, -3)}.html`),
  );
}

function page(source, url, title) {
  if (!existsSync(path.join(root, source))) return { source, url, title, text: "" };
  const text = readFileSync(path.join(root, source), "utf8");
  return { source, url, text, title: title ?? /^# (.*)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? source };
}
