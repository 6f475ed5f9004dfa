/** Pages that are generated from the source: commands, topics, rules, messages and metrics. */
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { listFiles, read, root } from "../check/repository.mjs";
import { celPage } from "./cel-functions.mjs";

const ENTRY = `
export { COMMANDS } from "./packages/cli/src/commands/table.ts";
export { TOPICS } from "./packages/cli/src/frame/topics.ts";
export { DEFAULT_GROUP, GLOBAL_OPTIONS } from "./packages/cli/src/frame/option-spec.ts";
export { CHECK_RULES } from "./packages/checker/src/check/rules.ts";
export { functionReferences } from "./packages/cel/src/reference.ts";
export { kubernetesEnvironment } from "./packages/engine/src/kubecel/environment.ts";
export { KUBERNETES_VERSIONS } from "./packages/engine/src/kubecel/versions.ts";
export { catalogEntries, QUESTIONS } from "./packages/engine/src/upgrade/catalog.ts";
`;

/** A section of the site, like those of written pages. */
export async function referencePages() {
  const source = await loadSource();
  const commands = await commandPages(source);
  const index = { url: "reference/index.html", title: "Reference", text: indexText(commands) };
  const pages = [
    index,
    ...commands,
    topicPage(source),
    rulePage(source),
    celPage(source, table),
    messagePage(),
    metricPage(),
  ];
  return { title: "Reference", pages: pages.map((page) => ({ ...page, source: page.url.replace(/html$/, "md") })) };
}

/** The declarations of the command line, straight from its sources. */
async function loadSource() {
  const folder = mkdtempSync(path.join(root, "node_modules", ".portcullis-site-"));
  try {
    await build({
      stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      entryNames: "reference",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      conditions: ["portcullis-source"],
      external: ["libsql"],
      logLevel: "warning",
    });
    const source = await import(pathToFileURL(path.join(folder, "reference.mjs")).href);
    return { ...source, loaded: await loadCommands(source.COMMANDS, []) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadCommands(entries, path) {
  const found = [];
  for (const entry of entries) {
    const command = await entry.load();
    const names = [...path, entry.name];
    found.push({ names, command }, ...(await loadCommands(command.subcommands ?? [], names)));
  }
  return found;
}

function indexText(commands) {
  const rows = commands.map(
    ({ title, url, summary }) => `| [\`${title}\`](${path.basename(url)}) | ${cell(summary)} |`,
  );
  return `# Reference

Generated from the source.

| command | purpose |
|---|---|
${rows.join("\n")}

| page | contents |
|---|---|
| [Topics](topics.html) | inputs, outputs, exit codes, baselines, suppressions, versions |
| [Rules](rules.html) | every rule id of a finding, with reason and remedy |
| [CEL functions](cel-functions.html) | every function and macro of expressions, with documentation and example |
| [Messages](messages.html) | the message texts of each module |
| [Metrics](metrics.html) | the Prometheus metrics of server and webhook |
`;
}

async function commandPages({ loaded, DEFAULT_GROUP, GLOBAL_OPTIONS }) {
  return loaded.map(({ names, command }) => {
    const title = ["portcullis", ...names].join(" ");
    const parts = commandText(title, command, { DEFAULT_GROUP, GLOBAL_OPTIONS });
    return { url: `reference/${names.join("-")}.html`, title, summary: command.summary, text: parts.join("\n\n") };
  });
}

function commandText(title, { summary, manual, subcommands = [] }, { DEFAULT_GROUP, GLOBAL_OPTIONS }) {
  const prefix = title.split(" ").slice(1).join("-");
  const children = subcommands.map(({ name }) => `- [${title} ${name}](${prefix}-${name}.html)`);
  const options = Object.entries(manual.options).filter(([, { isHidden }]) => isHidden !== true);
  const groups = [...new Set(options.map(([, { group }]) => group ?? DEFAULT_GROUP))];
  return [
    `# ${title}`,
    `${sentence(summary)}`,
    fence("sh", manual.usage.map((usage) => `portcullis ${usage}`).join("\n")),
    ...(children.length > 0 ? ["## Commands", children.join("\n")] : []),
    ...(manual.examples.length > 0 ? ["## Examples"] : []),
    ...manual.examples.map(({ does, run }) => `${sentence(does).replace(/\.$/, ":")}\n\n${fence("sh", run)}`),
    ...(manual.about.length > 0 ? ["## Description", ...manual.about] : []),
    ...(manual.args === undefined ? [] : ["## Arguments", table(["argument", "meaning"], manual.args.map(code))]),
    ...groups.flatMap((group) => [
      `## Options${groups.length > 1 ? `: ${group}` : ""}`,
      table(
        ["option", "meaning"],
        options.filter(([, spec]) => (spec.group ?? DEFAULT_GROUP) === group).map(optionRow),
      ),
    ]),
    ...(subcommands.length > 0
      ? []
      : ["## Options of every command", table(["option", "meaning"], Object.entries(GLOBAL_OPTIONS).map(optionRow))]),
    ...(manual.exits === undefined ? [] : ["## Exit codes", table(["code", "meaning"], manual.exits.map(code))]),
  ];
}

function optionRow([name, { short, type, value = "VALUE", text = "", multiple }]) {
  const flag = `${short === undefined ? "" : `-${short}, `}--${name}${type === "boolean" ? "" : ` ${value}`}`;
  return [`\`${flag}\``, `${text}${multiple ? "; repeatable" : ""}`];
}

function topicPage({ TOPICS }) {
  const parts = TOPICS.map(({ name, write }) => {
    const lines = [];
    write({
      heading: (text) => lines.push(`## ${text.charAt(0)}${text.slice(1).toLowerCase()} (\`${name}\`)\n`),
      paragraph: (text) => lines.push(`${text}\n`),
      line: (text) => lines.push(`    ${text}`),
      blank: () => lines.push(""),
      rows: (rows) => lines.push(`${table(["", "meaning"], rows.map(code))}\n`),
      table: (title, rows) => lines.push(`### ${title}\n`, `${table(["", "meaning"], rows.map(code))}\n`),
    });
    return lines.join("\n");
  });
  const text = `# Topics\n\nWhat several commands have in common: \`portcullis help TOPIC\`.\n\n${parts.join("\n")}`;
  return { url: "reference/topics.html", title: "Topics", text };
}

function rulePage({ CHECK_RULES, catalogEntries, QUESTIONS }) {
  const checks = CHECK_RULES.map(({ rule, title, why, fix }) => [`\`${rule}\``, title, why, fix]);
  const entries = [...catalogEntries()];
  const upgrades = Object.entries(QUESTIONS).flatMap(([id, question]) => [
    `### ${id}: ${question}`,
    table(
      ["rule", "level", "meaning", "why it matters", "what to do"],
      entries
        .filter((entry) => entry.question === id)
        .map(({ code: rule, level, title, why, fix }) => [`\`${rule}\``, level, title, why, fix]),
    ),
  ]);
  const text = [
    "# Rules",
    "Every finding has a rule id. `portcullis explain RULE` prints the same texts. A `*` stands for a family of rules.",
    "## Rules of check and crd lint",
    table(["rule", "meaning", "why it matters", "what to do"], checks),
    "## Rules of crd diff, preflight and crd scan",
    ...upgrades,
  ];
  return { url: "reference/rules.html", title: "Rules", text: text.join("\n\n") };
}

/** Texts of all `messages.ts`: one small function per message. */
function messagePage() {
  const files = listFiles("packages").filter((name) => /\/src\/.*messages\.ts$/.test(name));
  const sections = files.flatMap((name) => {
    const rows = messagesOf(read(name));
    return rows.length === 0
      ? []
      : [`## ${name.replace("/src/", "/").replace(/^packages\//, "")}`, table(["name", "text"], rows)];
  });
  const intro =
    "Message texts by module. Texts of `engine` and `cel` are those of the API server and of cel-go; others are our own. `{…}` marks a value.";
  return { url: "reference/messages.html", title: "Messages", text: ["# Messages", intro, ...sections].join("\n\n") };
}

function messagesOf(text) {
  const pattern =
    /^export (?:const (\w+) =[^;]*?=>\s*|function (\w+)\([\s\S]*?\{\s*return )(`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*");/gm;
  return [...text.matchAll(pattern)].map(([, constant, name, body]) => [
    `\`${constant ?? name}\``,
    `\`\` ${body
      .slice(1, -1)
      .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "{…}")
      .replaceAll("\\`", "`")
      .replaceAll("\\n", " ")} \`\``,
  ]);
}

function metricPage() {
  const webhook = read("packages/webhook/src/metrics.ts").matchAll(
    /^ {2}(\w+): \{ type: "(\w+)", help: "([^"]*)" \}/gm,
  );
  const server = listFiles("packages/server/src").flatMap((name) =>
    /\.test/.test(name)
      ? []
      : [
          ...read(name).matchAll(
            /\.(counter|gauge|histogram)\(\s*"(\w+)",\s*"([^"]*)"|name: "(\w+)",\s*help: "([^"]*)",\s*type: "(\w+)"/g,
          ),
        ],
  );
  const rows = server.map(([, kind, name, help, computed, text, type]) => [
    `\`${name ?? computed}\``,
    kind ?? type,
    help ?? text,
  ]);
  const own = [...webhook].map(([, name, type, help]) => [`\`${name}\``, type, help]);
  const byName = ([one], [other]) => (one < other ? -1 : 1);
  const head = ["metric", "type", "meaning"];
  const text = [
    "# Metrics",
    "Both endpoints use the Prometheus text format at `/metrics`. Metrics whose names begin with `apiserver_`, `authentication_` or `rest_` have the names and labels of kube-apiserver.",
    "## Server",
    table(head, rows.sort(byName)),
    "## Webhook",
    table(head, own.sort(byName)),
  ];
  return { url: "reference/metrics.html", title: "Metrics", text: text.join("\n\n") };
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text) {
  return String(text).replaceAll("|", "\\|").replaceAll("\n", " ");
}

function code([word, text]) {
  return [`\`${word}\``, text];
}

function fence(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function sentence(text) {
  const full = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!:]$/.test(full) ? full : `${full}.`;
}
