/** A directory of manifests: all YAML and JSON files in it, by name. */
import { readdirSync, readFileSync, watch } from "node:fs";
import path from "node:path";
import type { ManifestFile, StaticManifests, StaticPlugin } from "../policy/static-manifests.ts";

const EXTENSIONS = [".yaml", ".yml", ".json"];
/** Changes that no event reports are found by looking. */
const POLL_MS = 60_000;

/** For example `openManifests("ValidatingAdmissionPolicy", "/etc/kubernetes/policies")`. */
export function openManifests(plugin: StaticPlugin, directory: string): StaticManifests {
  return { plugin, directory, read: () => readFiles(directory), watch: (changed) => watchFiles(directory, changed) };
}

function readFiles(directory: string): ManifestFile[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && EXTENSIONS.includes(path.extname(entry.name).toLowerCase()))
    .map(({ name }) => path.join(directory, name))
    .sort()
    .map((file) => ({ path: file, text: readFileSync(file, "utf8") }));
}

function watchFiles(directory: string, changed: () => void): () => void {
  const watcher = watch(directory, { persistent: false }, changed);
  watcher.on("error", () => watcher.close());
  const timer = setInterval(changed, POLL_MS);
  timer.unref();
  return () => {
    watcher.close();
    clearInterval(timer);
  };
}
