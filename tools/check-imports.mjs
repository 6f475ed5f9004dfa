/**
 * The import rules: packages by layer, folders by rank, phases of `cel` separate, no cycles (type imports count), no
 * Node or browser in code that must run anywhere. See CONTRIBUTING.md. Exits 1 with one line per breach.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const packagesFolder = path.join(root, "packages");

/** What each package may import; a package not listed here may import nothing of ours. */
const MAY_IMPORT = {
  gostd: [],
  cel: ["gostd"],
  engine: ["gostd", "cel"],
  server: ["gostd", "cel", "engine"],
  webhook: ["gostd", "cel", "engine"],
  checker: ["gostd", "cel", "engine"],
  lsp: ["gostd", "cel", "engine", "checker"],
  cli: ["gostd", "cel", "engine", "checker", "lsp", "server", "webhook"],
  embed: ["gostd", "cel", "engine", "checker"],
  vscode: ["lsp"],
  playground: ["gostd", "cel", "engine", "checker", "server"],
};

/** Third-party modules each package may import; everything else is refused. */
const MAY_DEPEND = {
  gostd: ["re2js"],
  cel: ["antlr4ng"],
  engine: [],
};

/** A folder imports only folders of a lower rank of its package, and itself. "." is the entry points. */
const RANKS = {
  engine: {
    value: 0,
    field: 1,
    status: 2,
    codec: 2,
    selector: 2,
    schema: 2,
    fieldset: 2,
    kubecel: 3,
    rules: 4,
    symbolic: 4,
    apply: 4,
    patch: 4,
    crd: 5,
    builtin: 5,
    policy: 5,
    rbac: 5,
    podsecurity: 5,
    quota: 6,
    openapi: 6,
    webhooks: 6,
    review: 7,
    admission: 8,
    upgrade: 8,
    prove: 8,
    cluster: 9,
    ".": 10,
  },
  checker: {
    browser: 0,
    report: 0,
    cel: 0,
    versions: 0,
    repository: 1,
    input: 2,
    policy: 3,
    complete: 3,
    check: 4,
    prove: 4,
    replay: 4,
    scan: 4,
    output: 5,
    suites: 6,
    upgrade: 6,
    ".": 7,
  },
  server: {
    storage: 0,
    http: 1,
    observe: 2,
    registry: 3,
    watch: 4,
    endpoints: 5,
    auth: 6,
    conversion: 6,
    certificates: 6,
    discovery: 6,
    flow: 6,
    components: 6,
    admission: 6,
    connect: 6,
    openapi: 7,
    webhooks: 7,
    policy: 8,
    access: 8,
    controllers: 8,
    aggregation: 8,
    app: 9,
    node: 10,
    ".": 11,
  },
  lsp: { workspace: 0, diagnostics: 1, features: 2, server: 3, ".": 4 },
  cli: { frame: 0, cluster: 1, kubeconform: 1, workers: 1, sources: 2, commands: 3, ".": 4 },
};

/** Phases of `cel` that meet only at `ast`, `types` and `values`. */
const CEL_PHASES = ["parse", "check", "eval"];

/**
 * Where the server may subscribe to its store. All other code learns of changes through `Followers`, so that nothing is
 * decided with a copy that a gap in the events has made stale.
 */
const MAY_SUBSCRIBE = /^server\/src\/(storage\/|node\/|app\/|endpoints\/call\.ts$|index\.ts$)/;

/** The steps of the review of a write. Surfaces call `review`, which calls them. */
const REVIEW_STEPS = new RegExp(
  "^@portcullis/engine/internal/(?:" +
    "review/(?:create|update|delete|decode|prepare|admission|reserve)|review/patch/(?:patch|apply)|" +
    "review/custom-resource/(?:create|update|validate|prepare|coerce)|" +
    "crd/(?:prepare|validate/.*))$",
);
const SURFACES = ["server", "webhook", "checker", "lsp", "embed", "cli", "playground"];
/** Reads, options and connections share these with the steps. */
const MAY_IMPORT_STEPS = {
  "server/src/connect/connect.ts": ["review/admission"],
  "server/src/endpoints/body.ts": ["review/decode"],
  "server/src/endpoints/delete.ts": ["review/decode", "review/prepare"],
  "server/src/endpoints/get.ts": ["review/prepare"],
  "server/src/endpoints/patch.ts": ["review/patch/patch"],
};

const breaches = [];
const files = listSources(packagesFolder);
const graph = new Map(files.map((file) => [file, importsOf(file)]));

for (const [file, imports] of graph) for (const specifier of imports) checkImport(file, specifier);
for (const file of files) checkSubscriptions(file);
for (const cycle of findCycles()) breaches.push(`cycle: ${cycle.map(shortName).join(" -> ")}`);

for (const breach of breaches) console.error(breach);
console.error(`${files.length} files, ${breaches.length} breaches of the import rules`);
process.exit(breaches.length === 0 ? 0 : 1);

function checkImport(file, specifier) {
  const from = placeOf(file);
  if (specifier.startsWith(".")) {
    const target = path.resolve(path.dirname(file), specifier);
    if (!graph.has(target) && !target.endsWith(".json")) report(file, specifier, "does not exist with this extension");
    else checkInside(file, from, placeOf(target), specifier);
    return;
  }
  const own = specifier.startsWith("portcullis/") ? "cli" : /^@portcullis\/([a-z]+)/.exec(specifier)?.[1];
  if (own !== undefined) {
    if (!isTest(file) && !(MAY_IMPORT[from.package] ?? []).includes(own))
      report(file, specifier, `${from.package} may not import ${own}`);
    checkReviewSteps(file, from, specifier);
    return;
  }
  if (isTest(file)) return;
  const allowed = MAY_DEPEND[from.package];
  if (allowed !== undefined && !allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`))) {
    report(file, specifier, `${from.package} may not depend on it`);
  }
}

function checkReviewSteps(file, from, specifier) {
  if (!SURFACES.includes(from.package) || isTest(file) || !REVIEW_STEPS.test(specifier)) return;
  const allowed = MAY_IMPORT_STEPS[shortName(file).split(path.sep).join("/")] ?? [];
  if (!allowed.includes(specifier.slice("@portcullis/engine/internal/".length)))
    report(file, specifier, "is a step of the review; call review/review");
}

function checkInside(file, from, to, specifier) {
  if (from.package !== to.package) report(file, specifier, "reaches into another package");
  if (to.isIndex && !isTest(file) && !from.isIndex) report(file, specifier, "imports an index from inside the package");
  if (isTest(file)) return;
  const ranks = RANKS[from.package];
  if (ranks !== undefined && from.folder !== to.folder) {
    const [fromRank, toRank] = [ranks[from.folder], ranks[to.folder]];
    if (fromRank === undefined || toRank === undefined) report(file, specifier, "has no rank");
    else if (toRank >= fromRank) report(file, specifier, `rank ${fromRank} imports rank ${toRank}`);
  }
  const crosses = CEL_PHASES.includes(from.folder) && CEL_PHASES.includes(to.folder) && from.folder !== to.folder;
  if (from.package === "cel" && crosses) report(file, specifier, `${from.folder} imports ${to.folder}`);
}

function checkSubscriptions(file) {
  const place = shortName(file).split(path.sep).join("/");
  if (!place.startsWith("server/src/") || MAY_SUBSCRIBE.test(place) || isTest(file)) return;
  if (/\b(WatchableStore|StoreSubscriber)\b/.test(readFileSync(file, "utf8")))
    breaches.push(`${shortName(file)}: subscribes to the store by itself; use Followers`);
}

function report(file, specifier, reason) {
  breaches.push(`${shortName(file)}: "${specifier}" ${reason}`);
}

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" || entry.name === "dist" ? [] : listSources(full);
    return /\/src\/.*\.ts$/.test(full) ? [full] : [];
  });
}

function importsOf(file) {
  const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const pattern = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2]);
}

function placeOf(file) {
  const [packageName, , ...rest] = path.relative(packagesFolder, file).split(path.sep);
  return { package: packageName, folder: rest.length > 1 ? rest[0] : ".", isIndex: rest.at(-1) === "index.ts" };
}

function isTest(file) {
  return /\.(test|testing)\.ts$/.test(file);
}

function shortName(file) {
  return path.relative(packagesFolder, file);
}

/** One cycle for each strongly connected component, found by depth-first search. */
function findCycles() {
  const state = new Map();
  const cycles = [];
  const visit = (file, trail) => {
    state.set(file, "open");
    for (const specifier of graph.get(file) ?? []) {
      if (!specifier.startsWith(".")) continue;
      const target = path.resolve(path.dirname(file), specifier);
      if (!graph.has(target)) continue;
      if (state.get(target) === "open") cycles.push([...trail.slice(trail.indexOf(target)), target]);
      else if (!state.has(target)) visit(target, [...trail, target]);
    }
    state.set(file, "done");
  };
  for (const file of files) if (!state.has(file)) visit(file, [file]);
  return cycles;
}
