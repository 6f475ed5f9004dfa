/** What objects may be called, where it is not a DNS subdomain. */

import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  maskTrailingDash,
} from "../../field/names.ts";
import type { NameCheck } from "../../schema/object-meta.ts";
import { isEnabled } from "../../value/gates.ts";
import { since } from "../../value/server-version.ts";

/** Services must begin with a letter, unless a feature relaxes that. */
export const serviceName: NameCheck = (name, isPrefix) => {
  const check = isEnabled("RelaxedServiceNameValidation") ? checkDnsLabel : checkDns1035Label;
  return check(isPrefix ? maskTrailingDash(name) : name);
};

export const labelName: NameCheck = (name, isPrefix) => checkDnsLabel(isPrefix ? maskTrailingDash(name) : name);

/** A DNS subdomain whose length upstream reports in bytes since 1.35. Since then the prefix of a generated name is not checked. */
export const subdomainNameInBytes: NameCheck = (name, isPrefix) => {
  if (!since("1.35")) return checkDnsSubdomain(isPrefix ? maskTrailingDash(name) : name);
  return isPrefix ? [] : checkDnsSubdomain(name).map((problem) => problem.replace(/characters$/, "bytes"));
};

export const segmentName: NameCheck = checkPathSegment;
