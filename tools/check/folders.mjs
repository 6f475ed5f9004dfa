/** No folder has more than 25 source files. Folders that do are listed in pending/folders.txt with their number. */
import path from "node:path";
import { checkPending, finish, listSources } from "./repository.mjs";

const LIMIT = 25;

const folders = new Map();
for (const name of listSources()) {
  const folder = path.dirname(name);
  folders.set(folder, [...(folders.get(folder) ?? []), name]);
}
const found = new Map(
  [...folders]
    .filter(([, names]) => names.length > LIMIT)
    .map(([folder, names]) => [folder, names.map(() => `${folder}: more than ${LIMIT} source files`)]),
);
finish(`folders: ${folders.size}`, checkPending("folders", found));
