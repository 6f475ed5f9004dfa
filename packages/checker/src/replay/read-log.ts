/**
 * Logs as a sequence of events and requests. Several files are read side by side, so that rotated logs, and logs of several
 * API servers, come in the order of time.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isObject } from "@portcullis/engine/internal/value/json";
import { objectsOf } from "@portcullis/engine/internal/value/read";
import { fromReview, isReview, type KnownRequest } from "./known-request.ts";
import { type AuditEvent, checkedEvent, eventFrom, isEvent, readCut, readEvent } from "./log/audit-event.ts";
import { type Line, readLines } from "./log/lines.ts";

export type Entry =
  | { readonly type: "event"; readonly event: AuditEvent }
  | { readonly type: "cut"; readonly event: AuditEvent }
  | { readonly type: "request"; readonly request: KnownRequest };

export interface LogProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export type OnProblem = (problem: LogProblem) => void;

/** Events that cannot be writes are not even decoded: they are most of a log. */
const READ = /^"verb":"(?:list|watch|get|head|options)"/;
const CONNECTION = /"subresource":"(?:exec|attach|portforward|proxy)"/;
const HEAD = 1500;
const VERB = '"verb":"';

/** Entries in pieces, so that not every line has to be waited for. */
export async function* readLogs(files: readonly string[], onProblem: OnProblem): AsyncGenerator<readonly Entry[]> {
  const sources = files.map((file) => new Source(file, onProblem));
  let active: Source[] = [];
  for (const source of sources) if (await source.fill()) active.push(source);
  while (active.length > 0) {
    const next = active.reduce((left, right) => (right.at < left.at ? right : left));
    const others = active.filter((each) => each !== next);
    yield next.takeUntil(Math.min(...others.map(({ at }) => at)));
    if (!(await next.fill())) active = others;
  }
}

function timeOfEntry(entry: Entry): number {
  return entry.type === "request" ? entry.request.event.at : entry.event.at;
}

class Source {
  readonly #pieces: AsyncGenerator<readonly Entry[]>;
  #waiting: readonly Entry[] = [];
  #at = 0;

  constructor(file: string, onProblem: OnProblem) {
    this.#pieces = entriesOf(file, onProblem);
  }

  /** The time of the next entry. A line that is cut has none, and follows the one before. */
  get at(): number {
    const [next] = this.#waiting;
    return (next === undefined ? 0 : timeOfEntry(next)) || this.#at;
  }

  /** False at the end of the file. */
  async fill(): Promise<boolean> {
    while (this.#waiting.length === 0) {
      const { value, done } = await this.#pieces.next();
      if (done === true) return false;
      this.#waiting = value;
    }
    return true;
  }

  /** The entries up to a time, at least one. */
  takeUntil(time: number): readonly Entry[] {
    const all = this.#waiting;
    let count = 0;
    do {
      const entry = all[count];
      this.#at = (entry === undefined ? 0 : timeOfEntry(entry)) || this.#at;
      count += 1;
    } while (count < all.length && this.#timeAt(count) <= time);
    this.#waiting = all.slice(count);
    return count === all.length ? all : all.slice(0, count);
  }

  #timeAt(index: number): number {
    const entry = this.#waiting[index];
    return (entry === undefined ? 0 : timeOfEntry(entry)) || this.#at;
  }
}

async function* entriesOf(file: string, onProblem: OnProblem): AsyncGenerator<readonly Entry[]> {
  let last = 0;
  const onStream = (message: string): void => onProblem({ file, line: last, message });
  for await (const lines of readLines(file, onStream)) {
    last = lines.at(-1)?.number ?? last;
    yield lines.flatMap((line) => readEntries(line, onProblem));
  }
}

function readEntries(line: Line, onProblem: OnProblem): readonly Entry[] {
  const { bytes } = line;
  if (isRead(bytes.toString("latin1", 0, HEAD))) return [];
  const event = line.isCut ? undefined : readEvent(bytes);
  if (event !== undefined) return [{ type: "event", event: isDubious(event) ? checkedEvent(event, bytes) : event }];
  return readOther(line, onProblem);
}

/** The first verb is that of the event; objects may have others, such as a SelfSubjectAccessReview. */
function isRead(head: string): boolean {
  const verb = head.indexOf(VERB);
  return verb >= 0 && READ.test(head.slice(verb, verb + 20)) && !CONNECTION.test(head);
}

/** Lines that are cut at a wrong place are few, and cost a second look: only where the objects may be longer than they seem. */
function isDubious({ request, response }: AuditEvent): boolean {
  return request?.mentions('"responseObject":') === true || response?.mentions('"responseObject":') === true;
}

function readOther(line: Line, onProblem: OnProblem): readonly Entry[] {
  const { file, number, bytes, isCut } = line;
  const decoded = isCut ? { error: "the line is too long" } : decodeJson(bytes.toString());
  if (decoded.error !== undefined) {
    onProblem({ file, line: number, message: decoded.error });
    const cut = readCut(bytes);
    return cut === undefined ? [] : [{ type: "cut", event: cut }];
  }
  const { value } = decoded;
  if (isObject(value) && isReview(value)) {
    const request = fromReview(value);
    return request === undefined ? [] : [{ type: "request", request }];
  }
  if (isObject(value) && value["kind"] === "EventList") {
    return objectsOf(value["items"])
      .filter(isEvent)
      .map((item) => ({ type: "event", event: eventFrom(item) }));
  }
  onProblem({ file, line: number, message: "neither an audit event nor an AdmissionReview" });
  return [];
}
