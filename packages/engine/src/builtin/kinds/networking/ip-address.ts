/** IPAddress: its name is the address, written in canonical form. */
import { formatIp } from "@portcullis/gostd/net";
import { nilPath } from "../../../field/path.ts";
import type { NameCheck } from "../../../schema/object-meta.ts";
import { parseIpSloppy, strictIp } from "../../validate/addresses.ts";
import * as messages from "../../validate/messages.ts";
import { validateIpAddress, validateIpAddressUpdate } from "../../validate/networking/cidrs.ts";
import { defineKind } from "../kind.ts";

const addressName: NameCheck = (name) => {
  const problems = strictIp(name, nilPath).map(({ detail }) => detail);
  const address = parseIpSloppy(name);
  if (problems.length > 0 || address === undefined) return problems;
  const canonical = formatIp(address);
  return canonical === name ? [] : [messages.canonicalIp(canonical)];
};

export const ipAddress = defineKind("networking.k8s.io/v1", "IPAddress", {
  checkName: addressName,
  metadata: { update: "both" },
  validate: validateIpAddress,
  validateUpdate: validateIpAddressUpdate,
});
