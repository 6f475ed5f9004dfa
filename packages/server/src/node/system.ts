/** The clock, random names and identifiers of objects, and what the process uses. */
import { randomInt, randomUUID } from "node:crypto";
import type { ProcessUsage } from "../observe/process-metrics.ts";

const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;

/** The time as RFC 3339; written once a second. */
export function wholeSeconds(clock: () => number): () => string {
  let second = 0;
  let text = "";
  return () => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) [second, text] = [now, `${new Date(now * 1000).toISOString().slice(0, 19)}Z`];
    return text;
  };
}

/**
 * Clock and random names of Node.js.
 * @example nodeSystem.uid().length // 36
 */
export const nodeSystem = {
  uid: (): string => randomUUID(),
  now: wholeSeconds(Date.now),
  suffix: (): string =>
    Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_LETTERS.charAt(randomInt(SUFFIX_LETTERS.length))).join(""),
};

const MICROS = 1e6;

export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return {
    cpu: (user + system) / MICROS,
    memory: process.memoryUsage.rss(),
    start: Math.round(Date.now() / 1000 - process.uptime()),
  };
}
