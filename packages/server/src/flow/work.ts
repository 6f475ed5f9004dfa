/**
 * How much of the server a request occupies. A list takes a seat for every 100 kB that it loads; a write whose event goes
 * to many watches keeps its seats for a while after it was answered.
 *
 * Follows apiserver pkg/util/flowcontrol/request.
 */
import type { RequestInfo } from "../http/request-info.ts";
import type { ObjectStats } from "../registry/object-counts.ts";

export interface Work {
  /** While it is executed. */
  readonly seats: number;
  /** Afterwards, for as long as it lingers. */
  readonly finalSeats: number;
  readonly lingerSeconds: number;
}

export interface WorkContext {
  /** Undefined if nothing is known. */
  readonly stats: (info: RequestInfo) => ObjectStats | undefined;
  /** How many watches would see what the request writes. */
  readonly watches: (info: RequestInfo) => number;
  /** The most seats for one request of its level; undefined if the level does not limit it. */
  readonly maxSeats: number | undefined;
}

const BYTES_PER_SEAT = 100_000;
/** What a list occupies that is sent as it is made. */
const STREAMED_BYTES = 1_000_000;
const MAX_LIST_SEATS = 100;
const MAX_WRITE_SEATS = 10;
const WATCHES_PER_SEAT = 10;
const SECONDS_PER_EVENT = 0.005;

const ONE_SEAT: Work = { seats: 1, finalSeats: 0, lingerSeconds: 0 };

/** The seats that a request occupies as long as it occupies any. */
export function widthOf({ seats, finalSeats }: Work): number {
  return Math.max(seats, finalSeats);
}

export function estimateWork(info: RequestInfo, context: WorkContext): Work {
  switch (info.verb) {
    case "list":
      return listWork(info, context);
    case "watch":
      return sendsInitialEvents(info) ? listWork(info, context) : ONE_SEAT;
    case "create":
    case "update":
    case "patch":
    case "delete":
      return writeWork(info, context);
    default:
      return ONE_SEAT;
  }
}

/** Explicitly, or as watches without a version always did. */
function sendsInitialEvents({ query }: RequestInfo): boolean {
  const version = query.get("resourceVersion")?.[0] ?? "";
  return query.get("sendInitialEvents")?.[0] === "true" || version === "" || version === "0";
}

function listWork(info: RequestInfo, { stats, maxSeats = MAX_LIST_SEATS }: WorkContext): Work {
  const known = stats(info);
  if (known === undefined) return ONE_SEAT;
  const most = Math.min(maxSeats, MAX_LIST_SEATS);
  const seats = Math.ceil(loadedBytes(info, known) / BYTES_PER_SEAT);
  return { seats: Math.min(Math.max(seats, 1), most), finalSeats: 0, lingerSeconds: 0 };
}

function loadedBytes(info: RequestInfo, { count, averageBytes }: ObjectStats): number {
  const isStreamed = info.verb === "watch" || !isPage(info);
  const parameter = (name: string): string => info.query.get(name)?.[0] ?? "";
  const limit = Number(parameter("limit"));
  const listed = limit > 0 ? Math.min(limit, count) : count;
  const isSelected = parameter("labelSelector") !== "" || parameter("fieldSelector") !== "";
  const loaded = !isStreamed && isSelected ? Math.max(listed, Math.floor(count / 2)) : listed;
  const bytes = (info.name === "" ? loaded : 1) * averageBytes;
  return isStreamed ? Math.min(bytes, STREAMED_BYTES) : bytes;
}

/** What upstream cannot answer from its cache: states of the past and the pages after the first. */
function isPage({ query }: RequestInfo): boolean {
  const parameter = (name: string): string => query.get(name)?.[0] ?? "";
  const version = parameter("resourceVersion");
  switch (parameter("resourceVersionMatch")) {
    case "NotOlderThan":
      return false;
    case "":
      return parameter("continue") !== "" || (Number(parameter("limit")) > 0 && version !== "" && version !== "0");
    default:
      return true;
  }
}

function writeWork(info: RequestInfo, { watches, maxSeats = MAX_WRITE_SEATS }: WorkContext): Work {
  // A token is not an event.
  if (info.resource === "serviceaccounts" && info.subresource === "token") return ONE_SEAT;
  const count = watches(info);
  if (count < WATCHES_PER_SEAT) return ONE_SEAT;
  const wanted = Math.ceil(count / WATCHES_PER_SEAT);
  const finalSeats = Math.min(wanted, maxSeats, MAX_WRITE_SEATS);
  return { seats: 1, finalSeats, lingerSeconds: (wanted * SECONDS_PER_EVENT) / finalSeats };
}
