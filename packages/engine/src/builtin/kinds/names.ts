/** What objects may be called, where it is not a DNS subdomain. */
import { checkDnsLabel, checkDnsSubdomain, checkPathSegment, maskTrailingDash } from "../../field/names.ts";
import type { NameCheck } from "../../schema/object-meta.ts";

export const labelName: NameCheck = (name, isPrefix) => checkDnsLabel(isPrefix ? maskTrailingDash(name) : name);

/** A DNS subdomain whose length upstream reports in bytes. The prefix of a generated name is not checked. */
export const subdomainNameInBytes: NameCheck = (name, isPrefix) =>
  isPrefix ? [] : checkDnsSubdomain(name).map((problem) => problem.replace(/characters$/, "bytes"));

export const segmentName: NameCheck = checkPathSegment;
