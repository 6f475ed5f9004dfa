/** The connection against another implementation: that of Node. */
import { createServer, type ServerHttp2Stream, type ServerOptions } from "node:http2";
import { type AddressInfo, connect, createServer as createPlainServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { encodeHeaders, type HeaderFields } from "./hpack.ts";
import { Http2Session } from "./http2-session.ts";
import type { StreamEnd } from "./http2-stream.ts";

const HEADERS = encodeHeaders({
  ":method": "POST",
  ":scheme": "http",
  ":authority": "a",
  ":path": "/p",
  te: "trailers",
});

async function opened(
  handle: (stream: ServerHttp2Stream) => void,
  options: ServerOptions = {},
): Promise<{ readonly session: Http2Session }> {
  const server = createServer(options);
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    handle(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { session: await sessionWith(server.address() as AddressInfo) };
}

async function sessionWith({ port }: AddressInfo): Promise<Http2Session> {
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  const session = new Http2Session(socket, () => {});
  onTestFinished(() => session.destroy());
  return session;
}

interface Answer {
  readonly fields: readonly HeaderFields[];
  readonly body: Buffer;
  readonly end: StreamEnd;
}

function ask(session: Http2Session, body: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const [fields, chunks]: [HeaderFields[], Buffer[]] = [[], []];
    const stream = session.request(HEADERS, {
      headers: (each) => fields.push(each),
      data: (bytes) => chunks.push(bytes),
      closed: (end) => resolve({ fields, body: Buffer.concat(chunks), end }),
    });
    stream.end(body);
  });
}

function echo(stream: ServerHttp2Stream): void {
  stream.respond({ ":status": 200 });
  stream.pipe(stream);
}

test("bodies larger than all windows arrive whole, in both directions", async () => {
  const { session } = await opened(echo);
  const body = Buffer.alloc(12 << 20, "0123456789");
  const [large, small] = await Promise.all([ask(session, body), ask(session, Buffer.from("small"))]);
  expect(large.body.equals(body)).toBe(true);
  expect(String(small.body)).toBe("small");
});

test("requests beyond what the peer takes at once wait for their turn", async () => {
  let [open, most] = [0, 0];
  const handle = (stream: ServerHttp2Stream): void => {
    most = Math.max(most, ++open);
    stream.once("close", () => open--);
    setTimeout(() => echo(stream), 2);
  };
  const { session } = await opened(handle, { settings: { maxConcurrentStreams: 3 } });
  // Before the first answer its limits may not have come.
  await ask(session, Buffer.from("first"));
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(session, Buffer.from(`${i}`))));
  expect(answers.map(({ body }) => String(body))).toEqual(answers.map((_, i) => `${i}`));
  expect(most).toBeLessThanOrEqual(3);
  expect(session.isBusy).toBe(false);
});

test("every character that a header can have is read, whatever its code", async () => {
  const characters = Array.from({ length: 127 - 32 }, (_, i) => String.fromCharCode(i + 32)).filter((c) => c !== " ");
  const values = [...characters.map((c) => `a${c}b`), characters.join(""), "ü€".repeat(3), `${"long ".repeat(2_000)}.`];
  const { session } = await opened((stream) => {
    const headers = Object.fromEntries(values.map((value, i) => [`x-${i}`, Buffer.from(value).toString("latin1")]));
    stream.respond({ ":status": 200, ...headers }, { endStream: true });
  });
  const { fields } = await ask(session, Buffer.from(""));
  const read = values.map((_, i) => Buffer.from(fields[0]?.get(`x-${i}`) ?? "", "latin1").toString());
  expect(read).toEqual(values);
});

test("a peer that goes away answers what it has begun and takes nothing more", async () => {
  const { session } = await opened((stream) => {
    stream.session?.close();
    setTimeout(() => echo(stream), 20);
  });
  const answered = ask(session, Buffer.from("last"));
  expect(String((await answered).body)).toBe("last");
  expect(session.isUsable).toBe(false);
});

test("a request after the last that the peer will look at counts as refused", async () => {
  const { session } = await opened((stream) => {
    if (stream.id === 1) stream.session?.goaway(0, 1);
  });
  const answers = [ask(session, Buffer.from("1")), ask(session, Buffer.from("2"))];
  expect((await answers[1])?.end).toEqual({ resetCode: 7 });
});

test("pings are answered in both directions", async () => {
  let pinged: unknown;
  const { session } = await opened((stream) => {
    stream.session?.ping((error) => {
      pinged = error;
      echo(stream);
    });
  });
  expect(String((await ask(session, Buffer.from("after the ping"))).body)).toBe("after the ping");
  expect(pinged).toBeNull();
  await new Promise<void>((resolve) => session.ping(resolve));
});

test("a lost connection ends all requests", async () => {
  const { session } = await opened((stream) => stream.session?.destroy());
  expect((await ask(session, Buffer.from("1"))).end.resetCode).not.toBe(7);
  expect(session.isUsable).toBe(false);
});

test("bytes that are not frames end the connection", async () => {
  const server = createPlainServer((socket) => socket.end("x".repeat(100)));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const session = await sessionWith(server.address() as AddressInfo);
  expect((await ask(session, Buffer.from("1"))).end.error?.message).toBe("a frame that is too long");
});
