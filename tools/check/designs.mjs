/**
 * docs/designs.md: every requirement of the five designs, how to see it, and the test that holds it.
 *
 * The requirements are in examples/designs/NAME/requirements.yaml. One without steps to see it or without an existing test
 * fails; so does a page that is out of date (`--update` writes it). conformance/runners/designs.test.ts executes the steps.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { toPlain } from "@portcullis/engine";
import { decodeYaml } from "@portcullis/engine/codec";
import { finish, read, root } from "./repository.mjs";

const FOLDER = "examples/designs";
const PAGE = "docs/designs.md";
let problems = 0;

const designs = readdirSync(path.join(root, FOLDER))
  .filter((name) => existsSync(path.join(root, FOLDER, name, "requirements.yaml")))
  .sort()
  .map(readDesign);
const page = pageOf(designs);
const count = designs.reduce((sum, { requirements }) => sum + requirements.length, 0);
if (designs.length !== 5) report(FOLDER, `${designs.length} designs instead of 5`);
checkIds();
if (process.argv.includes("--update")) writeFileSync(path.join(root, PAGE), page);
else if (!existsSync(path.join(root, PAGE)) || read(PAGE) !== page)
  report(PAGE, "is out of date; run `node tools/check/designs.mjs --update`");
finish(`designs: ${count} requirements of ${designs.length} designs`, problems);

function readDesign(folder) {
  const file = `${FOLDER}/${folder}/requirements.yaml`;
  const { value, error } = decodeYaml(read(file));
  if (error !== undefined) throw new Error(`${file}: ${error}`);
  const design = toPlain(value);
  for (const requirement of design.requirements) checkRequirement(file, requirement);
  return { ...design, folder };
}

function checkRequirement(file, { id, asks, see, test }) {
  const at = `${file}: ${id}`;
  if (typeof asks !== "string" || asks === "") report(at, "does not say what the design asks for");
  if (!Array.isArray(see) || see.length === 0) report(at, "has nothing that shows it");
  if (typeof test !== "string") {
    report(at, "has no test");
    return;
  }
  const [name, title] = splitTest(test);
  if (!existsSync(path.join(root, name))) report(at, `no such file: ${name}`);
  else if (title === undefined || !titlesOf(name).some((each) => each.includes(title)))
    report(at, `${name} has no test \`${title}\``);
}

/** The titles of the tests of a file, and the names of the rows of its tables. */
function titlesOf(name) {
  const titles = /(?:\b(?:test|describe)(?:\.\w+)*\(|\]\)\(|\}\)\(|\)\(|\bname: )\s*(["'`])((?:(?!\1).|\n)*)\1/g;
  return [...read(name).matchAll(titles)].map(([, , title]) => title);
}

function checkIds() {
  const ids = designs.flatMap(({ requirements }) => requirements.map(({ id }) => id));
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  for (const id of repeated) report(FOLDER, `the id ${id} is used twice`);
}

function splitTest(test) {
  const at = test.indexOf(": ");
  return at === -1 ? [test, undefined] : [test.slice(0, at), test.slice(at + 2)];
}

function report(where, what) {
  problems++;
  console.error(`${where}: ${what}`);
}

function pageOf(all) {
  return [
    "# The designs, requirement by requirement",
    "",
    "<!-- generated from examples/designs by tools/check/designs.mjs --update -->",
    "",
    "Every requirement of the five designs, in our own words: how to see it, and the test that holds it. `npm test` executes the steps of each row (`conformance/runners/designs.test.ts`), and `npm run check` fails if a requirement has no test. Run the commands in the folder of the design. Requests go to `portcullis serve`; the runner starts a server for each row and creates the listed objects first. [The designs behind Portcullis](designs/README.md) explains the designs.",
    "",
    ...all.flatMap(sectionOf),
  ].join("\n");
}

function sectionOf({ design, title, folder, requirements }) {
  const rows = requirements.map(
    (each) => `| ${each.id} | ${cell(each.asks)} | ${seeOf(each)} | ${testOf(each.test)} |`,
  );
  return [
    `## ${design}: ${title}`,
    "",
    `The files are in [${FOLDER}/${folder}](../${FOLDER}/${folder}).`,
    "",
    "| id | the design asks | see it | test |",
    "|---|---|---|---|",
    ...rows,
    "",
  ];
}

function seeOf({ see, apply = [], gates, version }) {
  const options = [
    ...(version === undefined ? [] : [`--kube-version ${version}`]),
    ...(gates === undefined ? [] : [gatesText(gates)]),
  ];
  const first = [
    ...(options.length === 0 ? [] : [`with ${code(options.join(" "))}`]),
    ...(apply.length === 0 ? [] : [`create ${apply.map(code).join(", ")}`]),
  ];
  return [...first, ...see.map(stepText)].join("<br>");
}

function gatesText(gates) {
  return `--feature-gates ${Object.entries(gates)
    .map(([name, value]) => `${name}=${value}`)
    .join(",")}`;
}

function stepText(step) {
  if (step.restart !== undefined) return `restart with ${code(gatesText(step.restart))}`;
  const what = step.run ?? `${step.send}`;
  const body =
    typeof step.body === "string"
      ? ` with ${code(step.body)}`
      : step.body === undefined
        ? ""
        : ` ${code(JSON.stringify(step.body))}`;
  const results = [
    ...(step.run !== undefined && step.exit !== undefined ? [`exit ${step.exit}`] : []),
    ...(step.code === undefined ? [] : [String(step.code)]),
    ...texts(step.prints).map(code),
    ...texts(step.says).map(code),
    ...texts(step.warns).map((text) => `warning ${code(text)}`),
    ...texts(step.lacks).map((text) => `without ${code(text)}`),
  ];
  return `${code(what)}${body}${results.length === 0 ? "" : ` → ${results.join(", ")}`}`;
}

function texts(value) {
  return value === undefined ? [] : [value].flat();
}

function testOf(test) {
  const [name, title] = splitTest(test);
  return `[${cell(title ?? name)}](../${name})`;
}

/** A code span; text with backticks needs longer marks. */
function code(text) {
  const clean = cell(String(text));
  return clean.includes("`") ? `\`\` ${clean} \`\`` : `\`${clean}\``;
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ").trim();
}
