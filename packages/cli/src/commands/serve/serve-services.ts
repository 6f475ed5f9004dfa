/**
 * `--service-address namespace/name[:port]=host:port`: the addresses of webhooks that are named by a service. The older form
 * `name.namespace` is accepted too.
 */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { ServiceAddressBook } from "@portcullis/server";

export function readServiceAddresses(texts: readonly string[]): ServiceAddressBook {
  return new Map(texts.map(readServiceAddress));
}

function readServiceAddress(text: string): readonly [string, { readonly host: string; readonly port: number }] {
  const [, service = "", host = "", port = ""] = /^([^=]+)=(.+):(\d+)$/.exec(text) ?? [];
  const known = serviceName(service);
  if (known === undefined || Number(port) > 65535) {
    throw new UsageError(`\`${text}\` is not a service and its address, such as \`default/hook=127.0.0.1:9443\``);
  }
  return [known, { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) }];
}

/** `name.namespace`, with a port where one is given. */
function serviceName(text: string): string | undefined {
  const [, namespace, own, ownPort = ""] = /^([^/.:]+)\/([^/.:]+)(:\d+)?$/.exec(text) ?? [];
  if (namespace !== undefined && own !== undefined) return `${own}.${namespace}${ownPort}`;
  return /^[^/.:]+\.[^/.:]+(?::\d+)?$/.test(text) ? text : undefined;
}
