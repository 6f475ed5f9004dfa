import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HeavyAnswer, HeavyRequest } from "../../app/heavy-requests.ts";
import { HeavyPool, type PoolThread } from "./pool.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ANSWER: HeavyAnswer = { status: 200, headers: [], body: "", warnings: [], annotations: [] };

/** A thread whose requests end when the test says so. While one computes, nothing else is answered. */
class FakeThread implements PoolThread {
  readonly performed: HeavyRequest[] = [];
  readonly #ends: (() => void)[] = [];
  #computes = false;
  #whenReady: (() => void)[] = [];

  perform(request: HeavyRequest): Promise<HeavyAnswer> {
    this.performed.push(request);
    this.#computes = true;
    return new Promise((resolve) => this.#ends.push(() => resolve(ANSWER)));
  }

  ready(): Promise<void> {
    return this.#computes ? new Promise((resolve) => this.#whenReady.push(resolve)) : Promise.resolve();
  }

  /** Its first request ends, or only waits for something. */
  end(isAnswered = true): void {
    this.#computes = false;
    if (isAnswered) this.#ends.shift()?.();
    for (const resolve of this.#whenReady.splice(0)) resolve();
  }

  get users(): string[] {
    return this.performed.map(({ user }) => user.name);
  }

  metrics = () =>
    this.#computes ? new Promise<string>(() => {}) : Promise.resolve("# HELP a b\n# TYPE a counter\na 1\n");
  close = async () => {};
}

function openPool() {
  const threads: FakeThread[] = [];
  const ends: (() => void)[] = [];
  const pool = new HeavyPool(
    (ended) => {
      threads.push(new FakeThread());
      ends.push(ended);
      return threads.at(-1) as FakeThread;
    },
    () => Date.now(),
  );
  return { pool, threads, ends, shown: () => threads.map(({ users }) => users.join(" ")) };
}

const request = (name: string, timeLeft = 30_000): HeavyRequest => ({
  method: "POST",
  target: "/",
  headers: [],
  body: new Uint8Array(),
  user: { name, uid: "", groups: [], extra: new Map() },
  timeLeft,
});

const after = (millis: number): Promise<unknown> => vi.advanceTimersByTimeAsync(millis);

test("one thread serves requests that come one after the other", async () => {
  const { pool, threads, shown } = openPool();
  for (const user of ["a", "b", "a"]) {
    const answer = pool.perform(request(user));
    await after(1);
    threads[0]?.end();
    expect(await answer).toBe(ANSWER);
  }
  expect(shown()).toEqual(["a b a"]);
});

test("a request of another user gets a thread of its own when it has waited for a while", async () => {
  const { pool, shown } = openPool();
  void pool.perform(request("a"));
  await after(1);
  void pool.perform(request("b"));
  await after(50);
  expect(shown()).toEqual(["a"]);
  await after(100);
  expect(shown()).toEqual(["a", "b"]);
});

test("a user with many requests leaves half of the threads to others", async () => {
  const { pool, shown } = openPool();
  for (let i = 0; i < 10; i++) void pool.perform(request("a"));
  await after(5_000);
  expect(shown()).toEqual(["a", "a", ""]);
  void pool.perform(request("b"));
  await after(200);
  expect(shown()).toEqual(["a", "a", "b"]);
});

test("a thread for others is started when a request takes long", async () => {
  const { pool, threads, shown } = openPool();
  void pool.perform(request("a"));
  await after(900);
  expect(threads).toHaveLength(1);
  await after(200);
  expect(threads).toHaveLength(2);
  void pool.perform(request("b"));
  await after(1);
  expect(shown()).toEqual(["a", "b"]);
});

test("requests of one user share a thread while it waits for something", async () => {
  const { pool, threads, shown } = openPool();
  for (let i = 0; i < 3; i++) void pool.perform(request("a"));
  await after(1);
  expect(shown()).toEqual(["a"]);
  threads[0]?.end(false);
  await after(1);
  expect(shown()).toEqual(["a a"]);
});

test("with all threads in use, a new user shares one that waits for something", async () => {
  const { pool, threads, shown } = openPool();
  for (const user of ["a", "b", "c", "d", "e"]) {
    void pool.perform(request(user));
    await after(150);
  }
  expect(shown()).toEqual(["a", "b", "c", "d"]);
  threads[2]?.end(false);
  await after(150);
  expect(shown()).toEqual(["a", "b", "c e", "d"]);
});

test("the time that a request has waited is part of its time; without any left it is not performed", async () => {
  const { pool, threads } = openPool();
  void pool.perform(request("a"));
  await after(1);
  void pool.perform(request("a", 10_000));
  const refused = expect(pool.perform(request("a", 20))).rejects.toMatchObject({ code: 504 });
  await after(50);
  threads[0]?.end();
  await after(1);
  threads[0]?.end();
  await refused;
  expect(threads[0]?.performed.map(({ timeLeft }) => timeLeft)).toEqual([30_000, 9_950]);
});

test("another thread is started for what waits when the only one ends", async () => {
  const { pool, ends, shown } = openPool();
  void pool.perform(request("a"));
  await after(1);
  void pool.perform(request("a"));
  ends[0]?.();
  await after(1);
  expect(shown()).toEqual(["a", "a"]);
});

test("a thread that cannot be opened refuses what waits", async () => {
  const failing: PoolThread = {
    perform: () => Promise.reject(new Error("unused")),
    ready: () => Promise.reject(new Error("broken")),
    metrics: async () => "",
    close: async () => {},
  };
  const pool = new HeavyPool(() => failing);
  await expect(pool.perform(request("a"))).rejects.toThrow("broken");
});

test("metrics do not wait for a thread that computes", async () => {
  const { pool, threads } = openPool();
  expect(await pool.metrics()).toBeUndefined();
  void pool.perform(request("a"));
  await after(1);
  threads[0]?.end();
  const known = pool.metrics();
  await after(1);
  expect(await known).toContain("a 1");
  void pool.perform(request("a"));
  await after(1);
  const metrics = pool.metrics();
  await after(600);
  expect(await metrics).toContain("a 1");
});
