/** The clock, random names and identifiers of objects, and what the process uses. */
import { randomInt, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
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
    files: processFiles(),
  };
}

/** What Prometheus' library shows where there is no limit. */
const UNLIMITED = 2 ** 64;

/** A line with the names is followed by one with the values. */
function networkBytes(netstat: string): { received: number; sent: number } {
  const [names = [], values = []] = netstat
    .split("\n")
    .filter((line) => line.startsWith("IpExt:"))
    .map((line) => line.split(" "));
  return { received: Number(values[names.indexOf("InOctets")]), sent: Number(values[names.indexOf("OutOctets")]) };
}

/** Undefined where the operating system does not say it in Linux's way. */
function processFiles(): ProcessUsage["files"] {
  try {
    const addresses = Number(/^VmSize:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]) * 1024;
    const limits = readFileSync("/proc/self/limits", "latin1");
    const [, maxFiles] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    const [, maxAddresses] = /^Max address space\s+(\d+)/m.exec(limits) ?? [];
    return {
      openFiles: readdirSync("/proc/self/fd").length,
      maxFiles: Number(maxFiles),
      addresses,
      maxAddresses: Number(maxAddresses ?? UNLIMITED),
      ...networkBytes(readFileSync("/proc/self/net/netstat", "latin1")),
    };
  } catch {
    return undefined;
  }
}
