/** The defaults and exemptions of Pod Security for the option `podSecurity`. */
import { formatFieldErrors } from "@portcullis/engine/internal/field/format";
import {
  type PodSecurityConfiguration,
  readPodSecurityConfiguration,
} from "@portcullis/engine/internal/podsecurity/configuration";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";

/**
 * Reads a PodSecurityConfiguration. Throws an Error if it is invalid.
 * @example podSecurityConfiguration({ defaults: { enforce: "baseline" } }).defaults.enforce.level // "baseline"
 */
export function podSecurityConfiguration(configuration: object): PodSecurityConfiguration {
  const json = fromPlain(configuration);
  if (!isObject(json)) throw new Error("a PodSecurityConfiguration is an object");
  const read = readPodSecurityConfiguration(json);
  if (read.errors !== undefined) throw new Error(formatFieldErrors(read.errors));
  return read.configuration;
}
