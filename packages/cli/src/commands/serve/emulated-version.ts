/** `--emulated-version`, as component-base reads it: `1.34` or `kube=1.34`. */
import {
  KUBERNETES_VERSIONS,
  type KubernetesVersion,
  SERVER_VERSION,
} from "@portcullis/engine/internal/kubecel/versions";

/** The version that is emulated; the newest one if none is named. */
export function readEmulatedVersion(values: readonly string[]): KubernetesVersion {
  const named = values
    .flatMap((value) => value.split(","))
    .filter((part) => part !== "")
    .map(readPart);
  const [first, second] = named;
  if (first === undefined) return SERVER_VERSION;
  if (second !== undefined) throw new Error(`duplicate version flag, kube=${first} and kube=${second}`);
  const found = KUBERNETES_VERSIONS.find((version) => version === first);
  if (found === undefined) {
    throw new Error(`emulation version ${first} is not between [${KUBERNETES_VERSIONS[0]}, ${SERVER_VERSION}.0]`);
  }
  return found;
}

/** Major and minor version of one component. */
function readPart(part: string): string {
  const [, component = "kube", text = part] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
  const digits = /^\s*v?(\d+(?:\.\d+)*)/.exec(text)?.[1];
  if (digits === undefined) throw new Error(`could not parse "${text.trim()}" as version`);
  const [major, minor, patch] = digits.split(".");
  if (minor === undefined) throw new Error(`illegal version string "${text.trim()}"`);
  if (patch !== undefined && Number(patch) !== 0)
    throw new Error(`patch version not allowed, got: ${component.trim()}=${digits}`);
  if (component.trim() !== "kube") throw new Error(`component not registered: ${component.trim()}`);
  return `${major}.${minor}`;
}
