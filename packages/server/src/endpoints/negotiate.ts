/**
 * What a client wants back: which encoding, and whether the objects themselves or a table or only their metadata.
 *
 * Follows apiserver pkg/endpoints/handlers/negotiation. Parameters `as`, `g` and `v` request a transformation; a clause
 * that requests an unknown one is skipped.
 */

import { PROTOBUF_MEDIA_TYPE } from "@portcullis/engine/internal/codec/media-type";
import type { Endpoint } from "@portcullis/engine/internal/review/kind";
import { notAcceptable, StatusError } from "@portcullis/engine/internal/status/error";
import { trimBoth } from "@portcullis/engine/internal/value/trim";
import { parseBool } from "@portcullis/gostd/strconv";
import type { ApiRequest } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import * as messages from "./messages.ts";

export interface Output {
  readonly format: "json" | "yaml" | "protobuf";
  readonly isPretty: boolean;
  readonly convert: { readonly kind: string; readonly group: string; readonly version: string } | undefined;
}

export const MEDIA_TYPES = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const STREAM_TYPES = ["application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"];

const CONVERSIONS: ReadonlySet<string> = new Set(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);

/** What may be answered with a stream of events. */
const LISTED: ReadonlySet<string> = new Set(["list", "watch"]);

/** A request for a resource. */
export interface Negotiable {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly endpoint: Endpoint;
}

/** For resources: tables and metadata may be asked for, and protobuf of kinds that have it. */
export function negotiate({ request, info, endpoint }: Negotiable): Output {
  // What is asked and not stored has no metadata to make a table of.
  const hasMetadata = endpoint.type.answerCreate === undefined;
  const isConversion = ({ group, version, kind }: Conversion): boolean =>
    hasMetadata && group === "meta.k8s.io" && (version === "v1" || version === "v1beta1") && CONVERSIONS.has(kind);
  const { isCustom } = endpoint.type;
  if (!isCustom) checkMediaTypes(request, LISTED.has(info.verb) ? [...MEDIA_TYPES, ...STREAM_TYPES] : MEDIA_TYPES);
  // Custom resources have no protobuf form, but their metadata has.
  const hasProtobuf = (kind: string | undefined): boolean => !isCustom || kind !== undefined;
  const output = choose(request, info, isConversion, hasProtobuf);
  if (output === undefined) throw notAcceptable(MEDIA_TYPES);
  return output;
}

/** For refusals: everything has a Status, which has no other forms. Undefined if the client takes none of its formats. */
export function negotiateError(request: ApiRequest, info: RequestInfo): Output | undefined {
  return choose(
    request,
    info,
    () => false,
    () => true,
  );
}

/** What upstream's router looks at before anything else; it does not care for parameters. */
export function checkMediaTypes(request: ApiRequest, types: readonly string[]): void {
  const header = request.header("accept") ?? "";
  const isTaken = ({ type }: Clause): boolean => type === "*/*" || types.includes(type);
  if (header.trim() === "" || parseAccept(header).some(isTaken)) return;
  throw new StatusError({ code: 406, reason: "NotAcceptable", message: messages.notAcceptable(types), details: {} });
}

/** For watches: YAML has no framing. */
export function negotiateStream(call: Negotiable): Output {
  const output = negotiate(call);
  if (output.format === "yaml") throw notAcceptable(STREAM_TYPES);
  return output;
}

type Conversion = NonNullable<Output["convert"]>;

/** Undefined if nothing the client accepts can be made. */
export function choose(
  request: ApiRequest,
  info: RequestInfo,
  allows: (conversion: Conversion) => boolean,
  hasProtobuf: (kind: string | undefined) => boolean = () => false,
): Output | undefined {
  const isPretty = wantsPretty(request, info);
  const header = request.header("accept") ?? "";
  if (header.trim() === "") return { format: "json", isPretty, convert: undefined };
  for (const { type, params } of parseAccept(header)) {
    const format = formatOf(type);
    const convert = conversionOf(params);
    if (format === undefined || (convert !== undefined && !allows(convert))) continue;
    // Tables have no protobuf form.
    if (format === "protobuf" && (!hasProtobuf(convert?.kind) || convert?.kind === "Table")) continue;
    const stream = params.get("stream");
    if (stream !== undefined && stream !== "" && stream !== "watch") continue;
    return { format, isPretty: isPretty || params.get("pretty") === "1", convert };
  }
  return undefined;
}

function formatOf(type: string): Output["format"] | undefined {
  if (type === "application/json" || type === "application/*" || type === "*/*") return "json";
  if (type === PROTOBUF_MEDIA_TYPE) return "protobuf";
  return type === "application/yaml" ? "yaml" : undefined;
}

function conversionOf(params: ReadonlyMap<string, string>): Conversion | undefined {
  const [kind, group, version] = [params.get("as"), params.get("g"), params.get("v")];
  if (kind === undefined && group === undefined && version === undefined) return undefined;
  return { kind: kind ?? "", group: group ?? "", version: version ?? "" };
}

/** One clause of an Accept header, for endpoints with forms of their own. */
export interface Accepted {
  readonly type: string;
  readonly convert: Output["convert"];
  readonly stream: string | undefined;
}

/** Those that the client prefers first. */
export function acceptedClauses(header: string): Accepted[] {
  return parseAccept(header).map(({ type, params }) => ({
    type,
    convert: conversionOf(params),
    stream: params.get("stream"),
  }));
}

interface Clause {
  readonly type: string;
  readonly quality: number;
  readonly params: ReadonlyMap<string, string>;
}

/** A request asks for it several times: what may be answered, how, and how a refusal is written. */
let last: { readonly header: string; readonly clauses: readonly Clause[] } | undefined;

/** Follows ParseAccept of goautoneg: types are compared as they are written, and what it cannot read is skipped. */
export function parseAccept(header: string): readonly Clause[] {
  if (last?.header !== header) {
    last = { header, clauses: sorted(header.split(",").flatMap((text) => parseClause(text) ?? [])) };
  }
  return last.clauses;
}

function parseClause(text: string): Clause | undefined {
  const [range = "", ...rest] = text.split(";");
  const [major = "", minor = "", ...more] = range.split("/").map(trimSpaces);
  if (more.length > 0 || (minor === "" && major !== "*")) return undefined;
  const params = new Map<string, string>();
  let quality = 1;
  for (const part of rest) {
    const [name = "", value = "", ...others] = part.split("=").map(trimSpaces);
    if (value === "" || others.length > 0) continue;
    if (name === "q") quality = Number(value) || 0;
    else params.set(name, value);
  }
  return { type: `${major}/${minor || "*"}`, quality, params };
}

function trimSpaces(text: string): string {
  return trimBoth(text, " ");
}

/** Go sorts longer lists in another way. */
const SHORT = 12;

/**
 * Go's sort for short lists. The order it goes by is not consistent, so that another algorithm gives another result; but
 * for long lists this one takes the square of their length.
 */
function sorted(clauses: Clause[]): Clause[] {
  if (clauses.length > SHORT) return clauses.sort((left, right) => order(left, right));
  const list: Clause[] = [];
  for (const clause of clauses) {
    const after = list.findLastIndex((other) => !comesBefore(clause, other));
    list.splice(after + 1, 0, clause);
  }
  return list;
}

function order(left: Clause, right: Clause): number {
  if (comesBefore(left, right)) return -1;
  return comesBefore(right, left) ? 1 : 0;
}

function comesBefore(clause: Clause, other: Clause): boolean {
  if (clause.quality > other.quality) return true;
  const isWild = ({ type }: Clause): boolean => type.startsWith("*");
  const endsWild = ({ type }: Clause): boolean => type.endsWith("*");
  return (!isWild(clause) && isWild(other)) || (!endsWild(clause) && endsWild(other));
}

/** Tools that people read the output of get it indented unless they say otherwise. */
export function wantsPretty(request: ApiRequest, { query }: RequestInfo): boolean {
  const value = query.get("pretty")?.[0];
  if (value !== undefined && value !== "") {
    const parsed = parseBool(value);
    return parsed.error === undefined && parsed.value;
  }
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(request.header("user-agent") ?? "");
}

/** The content type of a watch. */
export function streamType({ format }: Output): string {
  return format === "protobuf" ? `${PROTOBUF_MEDIA_TYPE};stream=watch` : "application/json";
}
