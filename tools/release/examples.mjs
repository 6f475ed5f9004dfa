/** Installs archives in an empty project, compiles the README examples with strict TypeScript and runs them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const READMES = [
  "README.md",
  ...["gostd", "cel", "engine", "checker", "lsp", "server", "cli"].map((name) => `packages/${name}/README.md`),
];

const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: ["node"],
    outDir: "out",
  },
  include: ["*.ts"],
};

/** Throws where something does not install, compile or run as shown. */
export function tryExamples(root, archives) {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-release-"));
  try {
    install(root, folder, archives);
    const pages = READMES.map((name) => ({ name, blocks: blocksOf(readFileSync(path.join(root, name), "utf8")) }));
    runPrograms(folder, pages);
    for (const page of pages) runCommands(folder, page);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(root, folder, archives) {
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const tools = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
  run(folder, "npm", ["install", "--no-audit", "--no-fund", "--silent", ...archives, ...tools]);
}

function runPrograms(folder, pages) {
  const programs = pages.flatMap(({ name, blocks }) =>
    blocks.filter(isProgram).map(({ text }, index) => ({ name: `${name.replaceAll(/\W/g, "-")}-${index}`, text })),
  );
  for (const { name, text } of programs) writeFileSync(path.join(folder, `${name}.ts`), text);
  for (const { title, text } of pages.flatMap(({ blocks }) => blocks))
    if (title !== undefined) writeShown(folder, title, text);
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  run(folder, "npx", ["--no-install", "tsc", "-p", "."]);
  for (const { name } of programs) run(folder, process.execPath, [`out/${name}.js`]);
  console.error(`  ${programs.length} programs of the READMEs compile and run`);
}

function writeShown(folder, title, text) {
  mkdirSync(path.dirname(path.join(folder, title)), { recursive: true });
  writeFileSync(path.join(folder, title), text);
}

function isProgram({ language, isRun }) {
  return language === "ts" && isRun;
}

function runCommands(folder, { name, blocks }) {
  const place = path.join(folder, name.replaceAll(/\W/g, "-"));
  for (const { title, text } of blocks) if (title !== undefined) writeShown(place, title, text);
  const commands = blocks
    .filter(({ language, isRun }) => language === "console" && isRun)
    .flatMap(({ text }) => text.split(/^\$ /m).slice(1))
    .filter((text) => text.startsWith("portcullis check"));
  for (const text of commands) {
    const [command = "", ...output] = text.split("\n");
    const env = { ...process.env, PATH: `${folder}/node_modules/.bin${path.delimiter}${process.env.PATH}` };
    const { stdout } = spawnSync(command, { cwd: place, env, shell: true, encoding: "utf8" });
    if (stdout.trimEnd() !== output.join("\n").trimEnd()) throw new Error(`${name}: ${command} prints\n${stdout}`);
  }
  if (commands.length > 0) console.error(`  ${name}: ${commands.length} commands print what is shown`);
}

function blocksOf(text) {
  const pattern = /(<!-- not run: [^\n]*-->\n)?^```(\w+)(?: title=(\S+))?\n([\s\S]*?)^```$/gm;
  return [...text.matchAll(pattern)].map(([, mark, language, title, body]) => ({
    language,
    title,
    text: body,
    isRun: mark === undefined && title === undefined,
  }));
}

function run(cwd, command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed\n${stdout}${stderr}`);
}
