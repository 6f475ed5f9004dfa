/** `packages/cli/THIRD_PARTY_NOTICES` names what the bundle of the command line and the playground contain. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasBundledList, noticesOf } from "../notices.mjs";
import { finish, read, root } from "./repository.mjs";

const FILE = "packages/cli/THIRD_PARTY_NOTICES";
const BUILDS = ["cli", "playground"];

if (!BUILDS.every(hasBundledList)) {
  console.error("the bundles are missing; run `npm run build` first");
  finish("notices", 1);
} else {
  const text = noticesOf(BUILDS);
  if (process.argv.includes("--update")) writeFileSync(path.join(root, FILE), text);
  const isCurrent = existsSync(path.join(root, FILE)) && read(FILE) === text;
  if (!isCurrent) console.error(`${FILE} is out of date; run \`node tools/check/notices.mjs --update\``);
  finish(`notices: ${text.split("\n---").length - 1} bundled packages`, isCurrent ? 0 : 1);
}
