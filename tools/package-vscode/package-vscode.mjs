/**
 * Packs the extension for Visual Studio Code as `dist/portcullis.vsix`: the extension itself, the command line with the
 * language server, and the page of the playground. A `.vsix` is a zip file with two files of metadata.
 *
 *   node tools/package-vscode/package-vscode.mjs [FILE]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { zipSync } from "fflate";
import { noticesOf, recordBundled } from "../notices.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const source = path.join(root, "packages/vscode");
const bundle = path.join(root, "packages/cli/dist/bundle");
const playground = path.join(root, "packages/cli/dist/playground");
const target = path.resolve(process.argv[2] ?? path.join(root, "dist/portcullis.vsix"));
/** Of zip files; the same files give the same bytes. */
const TIME = new Date("2000-01-01T00:00:00Z");

/** Programs of the command line that an editor starts. */
const PROGRAMS = [
  "portcullis.js",
  "launch.js",
  "program.js",
  "check.js",
  "repeat.js",
  "package.json",
  "worker.js",
  "reader.js",
];

const manifest = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
const files = {
  "extension.vsixmanifest": vsixManifest(manifest),
  "[Content_Types].xml": contentTypes(),
  "extension/package.json": `${JSON.stringify(published(manifest), undefined, 2)}\n`,
  "extension/readme.md": readFileSync(path.join(source, "README.md")),
  "extension/LICENSE.txt": readFileSync(path.join(root, "LICENSE")),
  "extension/dist/extension.cjs": await bundleExtension(),
  "extension/THIRD_PARTY_NOTICES.txt": noticesOf(["cli", "playground", "vscode"]),
};
for (const name of PROGRAMS) files[`extension/program/${name}`] = readFileSync(path.join(bundle, name));
for (const name of filesBelow(playground)) {
  files[`extension/playground/${name}`] = readFileSync(path.join(playground, name));
}
mkdirSync(path.dirname(target), { recursive: true });
const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([name, data]) => [name, entryOf(data)])), {
  level: 9,
});
writeFileSync(target, bytes);
console.log(
  `${path.relative(process.cwd(), target)}: ${(bytes.length / 1e6).toFixed(1)} MB, ${Object.keys(files).length} files`,
);

function entryOf(data) {
  return [typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data), { mtime: TIME }];
}

async function bundleExtension() {
  const { outputFiles, metafile } = await build({
    entryPoints: [path.join(source, "src/extension.ts")],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    outfile: "extension.cjs",
    platform: "node",
    target: "node20",
    format: "cjs",
    conditions: ["portcullis-source"],
    external: ["vscode"],
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  recordBundled("vscode", metafile, root);
  return outputFiles[0].contents;
}

/** Without what only the repository needs; scripts of modules are not for editors. */
function published({ devDependencies: _, private: __, type: ___, exports: ____, ...rest }) {
  return rest;
}

function filesBelow(folder, prefix = "") {
  if (!existsSync(folder)) throw new Error(`${folder} is missing; run \`npm run build\` first`);
  return readdirSync(folder).flatMap((name) => {
    const full = path.join(folder, name);
    return statSync(full).isDirectory() ? filesBelow(full, `${prefix}${name}/`) : [`${prefix}${name}`];
  });
}

function vsixManifest({
  name,
  version,
  publisher,
  displayName,
  description,
  keywords,
  categories,
  engines,
  repository,
}) {
  const link = repository.url.replace(/^git\+|\.git$/g, "");
  const property = (id, value) => `      <Property Id="Microsoft.VisualStudio.${id}" Value="${xmlText(value)}" />`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${xmlText(name)}" Version="${version}" Publisher="${xmlText(publisher)}" />
    <DisplayName>${xmlText(displayName)}</DisplayName>
    <Description xml:space="preserve">${xmlText(description)}</Description>
    <Tags>${xmlText(keywords.join(","))}</Tags>
    <Categories>${xmlText(categories.join(","))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE.txt</License>
    <Properties>
${property("Code.Engine", engines.vscode)}
${property("Code.ExtensionKind", "workspace")}
${property("Services.Links.Source", link)}
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/readme.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

function contentTypes() {
  const types = {
    json: "application/json",
    vsixmanifest: "text/xml",
    md: "text/markdown",
    txt: "text/plain",
    js: "application/javascript",
    cjs: "application/javascript",
    html: "text/html",
    css: "text/css",
    svg: "image/svg+xml",
    png: "image/png",
  };
  const rows = Object.entries(types).map(([name, type]) => `<Default Extension=".${name}" ContentType="${type}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join("")}</Types>\n`;
}

function xmlText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
