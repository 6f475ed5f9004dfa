/**
 * The threads for heavy requests. A thread that computes for one request answers nothing else, so users get threads of
 * their own: a request waits for a thread that does nothing, for another thread to be started, or, where there are enough,
 * for one that only waits for something. Requests of one user share a thread as far as they wait for something.
 *
 * The first thread is started by the first request, others by requests of users that found no free one, and by requests
 * that take long: a thread takes a while to start, in which others would wait.
 */
import { timeout } from "@portcullis/engine/internal/status/error";
import type { HeavyAnswer, HeavyRequest, HeavyWorker } from "../../app/heavy-requests.ts";
import * as messages from "../../endpoints/messages.ts";
import { mergeMetrics } from "../../observe/merge-metrics.ts";

/** One thread, as the pool sees it. */
export interface PoolThread {
  /** Rejects with a StatusError if there is no answer. */
  perform(request: HeavyRequest): Promise<HeavyAnswer>;
  /** Resolves when it does not compute: before that, what it is sent has to wait. */
  ready(): Promise<void>;
  metrics(): Promise<string>;
  close(): Promise<unknown>;
}

/** `ended` is called when the thread is gone. */
export type StartThread = (ended: () => void) => PoolThread;

export interface ClosableWorker extends HeavyWorker {
  close(): Promise<void>;
}

/** So many users have to be hostile at the same time before others wait for them. */
const MAX_THREADS = 4;
/** How long a request waits before another thread is started for it, or shared with another user, in milliseconds. */
const PATIENCE_MS = 100;
/** What takes longer is likely to take much longer. */
const LONG_MS = 1_000;
/** Where threads take longer to start, because there is much to read, none is started without need. */
const MOST_SPARE_MS = 3_000;
/** How long the metrics wait for a thread that computes. */
const METRICS_MS = 500;

interface Job {
  readonly request: HeavyRequest;
  readonly since: number;
  readonly resolve: (answer: Promise<HeavyAnswer>) => void;
}

interface Member {
  readonly thread: PoolThread;
  /** How many requests of each user it performs. */
  readonly users: Map<string, number>;
  isOpen: boolean;
  isAsked: boolean;
  /** What it counted when it was asked last. */
  metrics: string;
}

export class HeavyPool implements ClosableWorker {
  readonly #start: StartThread;
  readonly #clock: () => number;
  readonly #members: Member[] = [];
  /** By user; the user whose turn is next comes first. */
  readonly #waiting = new Map<string, Job[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** How long the last thread took to open. */
  #openMillis = 0;

  constructor(start: StartThread, clock: () => number = () => performance.now()) {
    this.#start = start;
    this.#clock = clock;
  }

  perform(request: HeavyRequest): Promise<HeavyAnswer> {
    return new Promise((resolve) => {
      const { name } = request.user;
      const job = { request, since: this.#clock(), resolve };
      const jobs = this.#waiting.get(name);
      if (jobs === undefined) this.#waiting.set(name, [job]);
      else jobs.push(job);
      if (this.#members.length === 0) this.#grow();
      this.#dispatch();
    });
  }

  async metrics(): Promise<string | undefined> {
    const open = this.#members.filter(({ isOpen }) => isOpen);
    if (open.length === 0) return undefined;
    return mergeMetrics(await Promise.all(open.map(metricsOf)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#members.map(({ thread }) => thread.close()));
  }

  #grow(): void {
    const ended = (): void => {
      this.#members.splice(this.#members.indexOf(member), 1);
      if (this.#isClosed) return;
      if (member.isOpen && this.#waiting.size > 0 && this.#members.length === 0) this.#grow();
      this.#dispatch();
    };
    const thread = this.#start(ended);
    const member: Member = { thread, users: new Map(), isOpen: false, isAsked: false, metrics: "" };
    this.#members.push(member);
    const started = this.#clock();
    void thread.ready().then(
      () => {
        member.isOpen = true;
        this.#openMillis = this.#clock() - started;
        this.#dispatch();
      },
      (error: unknown) => {
        this.#refuseAll(error);
        void thread.close();
      },
    );
  }

  /** A thread could not be opened: the next one could not either. */
  #refuseAll(error: unknown): void {
    const jobs = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { resolve } of jobs) resolve(Promise.reject(error));
  }

  /** Hands out what can be handed out; what is left is looked at again when a thread can take it, or after a while. */
  #dispatch(): void {
    for (const user of [...this.#waiting.keys()]) {
      const idle = this.#mayTake(user) ? this.#members.find(isIdle) : undefined;
      if (idle !== undefined) this.#hand(user, idle);
    }
    if (this.#waiting.size === 0) return;
    for (const member of this.#members) if (isBusy(member)) this.#ask(member);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#growIfNeeded();
      this.#dispatch();
    }, PATIENCE_MS);
  }

  /** A thread for itself, and another one while most are free. */
  #mayTake(user: string): boolean {
    const free = MAX_THREADS - this.#members.filter(({ users }) => users.size > 0).length;
    return free * 2 > MAX_THREADS || !this.#holdsAny(user);
  }

  #holdsAny(user: string): boolean {
    return this.#members.some(({ users }) => users.has(user));
  }

  #growIfNeeded(): void {
    if (this.#mayGrow && [...this.#waiting].some(([user, [job]]) => this.#needsThread(user, job))) this.#grow();
  }

  /** A user with many requests has them one after the other, as long as none takes long. */
  #needsThread(user: string, job: Job | undefined): boolean {
    if (job === undefined || !this.#mayTake(user)) return false;
    return !this.#holdsAny(user) || this.#clock() - job.since >= LONG_MS;
  }

  #keepSpare(): void {
    if (this.#mayGrow && this.#openMillis < MOST_SPARE_MS && !this.#members.some(isIdle)) this.#grow();
  }

  /** One at a time. */
  get #mayGrow(): boolean {
    return !this.#isClosed && this.#members.length < MAX_THREADS && this.#members.every(({ isOpen }) => isOpen);
  }

  #ask(member: Member): void {
    member.isAsked = true;
    const answered = (): void => {
      member.isAsked = false;
    };
    void member.thread.ready().then(() => {
      answered();
      const user = this.#nextFor(member);
      if (user !== undefined) this.#hand(user, member);
    }, answered);
  }

  /** Of the users that wait, the first whose request may share this thread. */
  #nextFor(member: Member): string | undefined {
    const isFull = this.#members.length >= MAX_THREADS;
    for (const [user, [job]] of this.#waiting) {
      const isOverdue = job !== undefined && this.#clock() - job.since >= PATIENCE_MS;
      if (member.users.has(user) || (isFull && isOverdue && !this.#holdsAny(user))) return user;
    }
    return undefined;
  }

  #hand(user: string, member: Member): void {
    const jobs = this.#waiting.get(user) ?? [];
    const job = jobs.shift();
    this.#waiting.delete(user);
    if (jobs.length > 0) this.#waiting.set(user, jobs);
    if (job === undefined) return;
    const timeLeft = job.request.timeLeft - (this.#clock() - job.since);
    // Its client has been answered.
    if (timeLeft <= 0) {
      job.resolve(Promise.reject(timeout(messages.writeTimeout(), 0)));
      return;
    }
    member.users.set(user, (member.users.get(user) ?? 0) + 1);
    const answer = member.thread.perform({ ...job.request, timeLeft });
    job.resolve(answer);
    const long = setTimeout(() => this.#keepSpare(), LONG_MS);
    const done = (): void => {
      clearTimeout(long);
      const left = (member.users.get(user) ?? 1) - 1;
      if (left > 0) member.users.set(user, left);
      else member.users.delete(user);
      this.#dispatch();
    };
    answer.then(done, done);
    if (this.#waiting.size > 0 && isBusy(member)) this.#ask(member);
  }
}

function isIdle({ isOpen, users }: Member): boolean {
  return isOpen && users.size === 0;
}

function isBusy({ isOpen, isAsked, users }: Member): boolean {
  return isOpen && !isAsked && users.size > 0;
}

/** A thread that computes is not waited for: what it counted before is nearly the same. */
async function metricsOf(member: Member): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const known = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(member.metrics), METRICS_MS);
  });
  try {
    member.metrics = await Promise.race([member.thread.metrics(), known]);
  } catch {
    // It has ended.
  } finally {
    clearTimeout(timer);
  }
  return member.metrics;
}
