/** `--service-address name.namespace[:port]=host:port`: where webhooks that are named by a service listen. */

import { UsageError } from "@portcullis/checker/input/usage-error";
import type { ServiceAddressBook } from "@portcullis/server";

export function readServiceAddresses(texts: readonly string[]): ServiceAddressBook {
  return new Map(texts.map(readServiceAddress));
}

function readServiceAddress(text: string): readonly [string, { readonly host: string; readonly port: number }] {
  const match = /^([^=.:]+\.[^=.:]+(?::\d+)?)=(.+):(\d+)$/.exec(text);
  const [, service = "", host = "", port = ""] = match ?? [];
  if (service === "" || Number(port) > 65535) {
    throw new UsageError(`\`${text}\` is not a service and its address, such as \`hook.default=127.0.0.1:9443\``);
  }
  return [service, { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) }];
}
