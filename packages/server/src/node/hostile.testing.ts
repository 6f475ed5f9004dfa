/** Requests that no well-behaved client would send, from a seed, so that a failure can be had again. */

export interface Hostile {
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether the client hangs up behind it: the server must not wait for the rest. */
  readonly hangsUp: boolean;
}

/** Numbers from 0 up to, not including, the given one. Follows mulberry32. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

type Random = (below: number) => number;

const MAPS = "/api/v1/namespaces/default/configmaps";

export function hostileRequest(token: string, random: Random): Hostile {
  const kinds = Object.entries(KINDS);
  const [name, make] = kinds[random(kinds.length)] ?? ["", () => ""];
  const made = make(random, `Authorization: Bearer ${token}\r\nHost: x\r\n`);
  const bytes = typeof made === "string" ? Buffer.from(made, "latin1") : made;
  return { name, bytes, hangsUp: HANGS_UP.has(name) };
}

const HANGS_UP = new Set(["truncated body", "truncated head", "open chunk", "wrong length"]);

type Make = (random: Random, head: string) => string | Buffer;

const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;

function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)));
}

function post(head: string, body: Buffer | string, type = "application/json", path = MAPS): Buffer {
  const bytes = Buffer.from(body);
  const start = `POST ${path} HTTP/1.1\r\n${head}Content-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(start, "latin1"), bytes]);
}

const OBJECT = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"x"},"data":{"a":"b"}}';

const KINDS: Readonly<Record<string, Make>> = {
  "truncated body": (random, head) => {
    const body = OBJECT.slice(0, random(OBJECT.length));
    return `POST ${MAPS} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${OBJECT.length}\r\n\r\n${body}`;
  },
  "truncated head": (random, head) => {
    const whole = `GET ${MAPS} HTTP/1.1\r\n${head}`;
    return whole.slice(0, 1 + random(whole.length));
  },
  "wrong length": (random, head) => {
    const length = pick(random, ["-1", "0x10", "1e3", "99999999999999999999", "5, 6", "abc", "", "+5", "3000000"]);
    return `POST ${MAPS} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${OBJECT}`;
  },
  "two lengths": (_, head) =>
    `POST ${MAPS} HTTP/1.1\r\n${head}Content-Length: 5\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "bad UTF-8": (random, head) => {
    const bytes = Buffer.concat([Buffer.from('{"data":{"'), noise(random, 20), Buffer.from('":"b"}}')]);
    return post(head, bytes, pick(random, ["application/json", "application/yaml"]));
  },
  "noise for a body": (random, head) => {
    const types = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "text/plain", "\xff"];
    const magic = random(2) === 0 ? Buffer.from("k8s\0") : Buffer.alloc(0);
    return post(head, Buffer.concat([magic, noise(random, random(300))]), pick(random, types));
  },
  "deep body": (random, head) => {
    const depth = 1 + random(random(20) === 0 ? 20_000 : 500);
    return post(
      head,
      pick(random, ["[", '{"a":', "- "]).repeat(depth),
      pick(random, ["application/json", "application/yaml"]),
    );
  },
  "bad patch": (random, head) => {
    const type = pick(random, [
      "json-patch+json",
      "merge-patch+json",
      "strategic-merge-patch+json",
      "apply-patch+yaml",
    ]);
    const body = pick(random, [
      "",
      "[",
      "null",
      "[1]",
      '[{"op":"add"}]',
      '{"a":',
      '"x"',
      "a: [",
      '[{"op":"test","path":"/a"}]',
    ]);
    const sent = post(head, body, `application/${type}`, `${MAPS}/none?fieldManager=x`);
    return Buffer.concat([Buffer.from("PATCH"), sent.subarray(4)]);
  },
  "huge header": (random, head) =>
    `GET ${MAPS} HTTP/1.1\r\n${head}X-Long: ${"y".repeat(random(10) === 0 ? 100_000 : 17_000 + random(5_000))}\r\n\r\n`,
  "many headers": (random, head) =>
    `GET ${MAPS} HTTP/1.1\r\n${head}${Array.from({ length: random(20) === 0 ? 4000 : 100 }, (_, i) => `X${i}: 1\r\n`).join("")}\r\n`,
  "bad header": (random, head) => {
    const line = pick(random, [
      "No colon here",
      ": no name",
      "A B: c",
      "X: \x00",
      "X: \x7f\xff",
      " folded",
      "X:\n\ny",
      "Authorization: Bearer \xff",
    ]);
    return `GET ${MAPS} HTTP/1.1\r\n${head}${line}\r\n\r\n`;
  },
  "path tricks": (random, head) => {
    const path = pick(random, [
      ...[
        "//",
        "/..",
        "/../../etc/passwd",
        "/api/v1/../../",
        "/api//v1/namespaces",
        "/api/v1/namespaces/%2e%2e/pods",
        "*",
        "/%",
      ],
      ...[
        "/%zz",
        "/%00",
        "/api/v1/namespaces/a%2fb",
        "/api/v1/namespaces/%ff",
        "http://other/api",
        "/api/v1/namespaces/default/",
      ],
      ...[
        "/apis/__proto__/v1/constructor",
        "/api/v1/toString",
        `/${"a/".repeat(3000)}`,
        `/api/v1/namespaces/${"x".repeat(9000)}`,
      ],
      ...[
        "/\\..\\..",
        "/api/v1/watch/",
        "/api/v1/namespaces/default/configmaps/a/b/c/d",
        "/openapi/v3/../v2",
        "/livez/../metrics",
      ],
    ]);
    return `GET ${path} HTTP/1.1\r\n${head}\r\n`;
  },
  "bad query": (random, head) => {
    const query = pick(random, [
      ...[
        "%",
        "a=%zz",
        "limit=abc",
        "limit=-1",
        "limit=99999999999999999999",
        "labelSelector=((((",
        "fieldSelector=a,,b",
      ],
      ...[
        "labelSelector=a in (",
        "continue=e30",
        "continue=%ff",
        "resourceVersion=abc",
        "timeout=1q",
        "&&&&====",
        ";;",
        "watch=maybe",
      ],
      ...[
        "dryRun=Some",
        "resourceVersion=1&resourceVersionMatch=X",
        "fieldSelector=metadata.name%3D%00",
        `x=${"y".repeat(9000)}`,
      ],
      ...["labelSelector=".concat("a=b,".repeat(2000)), "timeoutSeconds=0&watch=1&resourceVersion=x", "pretty=perhaps"],
    ]);
    return `GET ${MAPS}?${query} HTTP/1.1\r\n${head}\r\n`;
  },
  "bad chunks": (random, head) => {
    const body = pick(random, [
      "zz\r\n",
      "-5\r\nhello\r\n",
      "5\nhello\n0\n\n",
      "ffffffffffffffff\r\n",
      "5;\xff\r\nhello\r\n0\r\n\r\n",
      "5\r\nhi\r\n0\r\n\r\n",
    ]);
    return `POST ${MAPS} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n${body}`;
  },
  "open chunk": (random, head) =>
    `POST ${MAPS} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nff\r\n${OBJECT.slice(0, random(40))}`,
  "bad start line": (random, head) => {
    const line = pick(random, [
      "GET",
      "GET / HTTP/9.9",
      "G\xffT / HTTP/1.1",
      "GET  / HTTP/1.1",
      "/ GET HTTP/1.1",
      "GET / HTTP/1.1 x",
      "FOO / HTTP/1.1",
      "GET /\r\nX HTTP/1.1",
    ]);
    return `${line}\r\n${head}\r\n`;
  },
  noise: (random) => Buffer.concat([noise(random, 1 + random(400)), Buffer.from("\r\n\r\n")]),
  "garbage behind": (random, head) =>
    Buffer.concat([
      Buffer.from(`GET /livez HTTP/1.1\r\n${head}\r\n`, "latin1"),
      noise(random, 50),
      Buffer.from("\r\n\r\n"),
    ]),
};
