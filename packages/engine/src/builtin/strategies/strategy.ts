/**
 * What is special about a kind when it is written: what the server sets itself, what counts as a change, what it may be
 * called and what is wrong with it.
 */
import { checkDnsSubdomain, maskTrailingDash } from "../../field/names.ts";
import type { NameCheck } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import type { Draft } from "../defaults/draft.ts";

/** What a write needs from outside. */
export interface PrepareContext {
  /** The time, as metadata writes it. */
  readonly now: () => string;
  /** A free address for a service, and a free port on every node. */
  readonly clusterIp: () => string;
  readonly nodePort: () => number;
  /** Gets warnings that are due although the object may be refused. */
  readonly warn?: (text: string) => void;
}

export interface Strategy {
  readonly checkName: NameCheck;
  /** Kinds that count their changes name the members that matter, of the object and of its metadata. */
  readonly generation?: { readonly members: readonly string[]; readonly metadata?: readonly string[] };
  /** Where the first change is counted from nothing, not from one. */
  readonly startsUncounted?: boolean;
  /** Where the spec of a pod stands in the object. */
  readonly podSpec?: readonly string[];
  /** Whether status is the server's: emptied on create, kept on update. */
  readonly ownsStatus: boolean;
  /** Beyond status and generation. The draft may be changed. */
  readonly prepareCreate?: (draft: Draft, context: PrepareContext) => void;
  readonly prepareUpdate?: (draft: Draft, old: JsonObject, context: PrepareContext) => void;
  readonly prepareStatusUpdate?: (draft: Draft, old: JsonObject, context: PrepareContext) => void;
  readonly unconditionalUpdate: boolean;
  readonly createOnUpdate: boolean;
  readonly returnsDeletedObject: boolean;
}

export const subdomainName: NameCheck = (name, isPrefix) => checkDnsSubdomain(isPrefix ? maskTrailingDash(name) : name);

const PLAIN: Strategy = {
  checkName: subdomainName,
  ownsStatus: false,
  unconditionalUpdate: true,
  createOnUpdate: false,
  returnsDeletedObject: false,
};

export function strategy(parts: Partial<Strategy> = {}): Strategy {
  return { ...PLAIN, ...parts };
}

export const SPEC = { members: ["spec"] };
