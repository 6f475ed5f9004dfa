import { expect, test } from "vitest";
import { Seats } from "../../flow/seats.ts";
import { Metrics } from "../metrics.ts";
import { LoadMetrics } from "./load-metrics.ts";

const SIZES = { queues: 2, handSize: 1, queueLengthLimit: 5 };
const LEVEL = { isExempt: false, shares: 1, lendablePercent: 0, borrowingLimitPercent: 0, queues: SIZES };
const WORK = { seats: 1, finalSeats: 0, lingerSeconds: 0 };

function openLoad() {
  let now = 0;
  const metrics = new Metrics();
  const load = new LoadMetrics(metrics, () => now);
  return {
    load,
    clock: () => now,
    pass: (seconds: number) => {
      now += seconds;
    },
    /** In seconds, what is counted in nanoseconds. */
    seconds: (series: string): number => {
      load.update();
      const line = metrics
        .text()
        .split("\n")
        .find((each) => each.startsWith(`apiserver_flowcontrol_${series} `));
      return Number(line?.split(" ").at(-1)) / 1e9;
    },
  };
}

test("the load of a level is counted for as long as it lasts", async () => {
  const { load, clock, pass, seconds } = openLoad();
  const seats = new Seats({ total: 2, clock, nextTurn: async () => {}, observer: load });
  seats.configure(new Map([["small", LEVEL]]));
  const enter = () => seats.enter("small", { flow: "a", patience: 60_000, work: WORK });
  pass(1);
  const first = await enter();
  pass(2);
  const second = await enter();
  const third = enter();
  pass(3);
  for (const leave of [first, second]) if (typeof leave === "function") leave();
  const last = await third;
  pass(4);
  if (typeof last === "function") last();
  await Promise.resolve();

  const level = 'priority_level="small"';
  const utilization = (bound: string): number =>
    seconds(`priority_level_seat_utilization_bucket{phase="executing",${level},le="${bound}"}`);
  // Idle for 1, half full for 2 and then for 4, and full for 3.
  expect([utilization("0"), utilization("0.4"), utilization("0.5"), utilization("1")]).toEqual([1, 1, 7, 10]);
  const wanted = (bound: string): number => seconds(`demand_seats_bucket{${level},le="${bound}"}`);
  expect([wanted("0.2"), wanted("0.6"), wanted("1.4"), wanted("1.7")]).toEqual([1, 7, 7, 10]);
  const waiting = (bound: string): number =>
    seconds(`priority_level_request_utilization_bucket{phase="waiting",${level},le="${bound}"}`);
  expect([waiting("0.03"), waiting("0.1"), waiting("0.25")]).toEqual([7, 10, 10]);
  expect(seconds(`priority_level_request_utilization_count{phase="executing",${level}}`)).toBe(10);
  expect(seconds(`priority_level_request_utilization_sum{phase="executing",${level}}`)).toBe(6);
});

test("a request that gives up does not wait any more", async () => {
  const { load, clock, pass, seconds } = openLoad();
  const seats = new Seats({ total: 1, clock, nextTurn: async () => {}, observer: load });
  seats.configure(new Map([["small", LEVEL]]));
  await seats.enter("small", { flow: "a", patience: 60_000, work: WORK });
  expect(await seats.enter("small", { flow: "a", patience: 1, work: WORK })).toBe("time-out");
  pass(1);
  expect(seconds('demand_seats_bucket{priority_level="small",le="1"}')).toBe(1);
});

test("reads and writes are fractions of what all levels have", () => {
  const { load, pass, seconds } = openLoad();
  load.configured({ seats: 4, room: 10 });
  pass(1);
  load.executing(true, 1);
  load.waiting(false, 1);
  pass(2);
  load.executing(true, -1);
  load.waiting(false, -1);
  const bucket = (phase: string, kind: string, bound: string): number =>
    seconds(`read_vs_write_current_requests_bucket{phase="${phase}",request_kind="${kind}",le="${bound}"}`);
  expect([bucket("executing", "mutating", "0.2"), bucket("executing", "mutating", "0.3")]).toEqual([1, 3]);
  expect([bucket("waiting", "readOnly", "0.01"), bucket("waiting", "readOnly", "0.1")]).toEqual([1, 3]);
  expect([bucket("waiting", "mutating", "0"), bucket("executing", "readOnly", "0")]).toEqual([3, 3]);
});
