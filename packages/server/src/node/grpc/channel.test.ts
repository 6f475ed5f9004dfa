import { constants, createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Channel } from "./channel.ts";
import { DEADLINE_EXCEEDED, RpcError, UNAVAILABLE } from "./rpc-error.ts";

const MESSAGE = Buffer.from("question");

function framed(text: string): Buffer {
  const header = Buffer.from([0, 0, 0, 0, text.length]);
  return Buffer.concat([header, Buffer.from(text)]);
}

/** A server that handles every call with the function, and a channel to it. */
async function connected(
  handle: (stream: ServerHttp2Stream) => void,
): Promise<{ channel: Channel; server: Http2Server }> {
  const server = createServer();
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    handle(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const channel = new Channel(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    channel.close();
    server.close();
  });
  return { channel, server };
}

function finish(stream: ServerHttp2Stream, trailers: Record<string, string>, ...chunks: readonly Buffer[]): void {
  stream.respond({ ":status": 200 }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
}

async function failure(call: Promise<unknown>): Promise<RpcError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw new Error("the call did not fail");
  return error;
}

test("a call resolves to the message of the answer, however it is cut", async () => {
  const answer = framed("answer");
  const { channel } = await connected((stream) =>
    finish(stream, { "grpc-status": "0" }, answer.subarray(0, 3), answer.subarray(3)),
  );
  const answers = await Promise.all([1, 2, 3].map(() => channel.unary("/a", MESSAGE, 5_000)));
  expect(answers.map(String)).toEqual(["answer", "answer", "answer"]);
});

test("a refusal has the code and the decoded text, in trailers or alone", async () => {
  const { channel } = await connected((stream) => {
    const refusal = { "grpc-status": "11", "grpc-message": "50%25 gone" };
    if (stream.id === 1) finish(stream, refusal);
    else stream.respond({ ":status": 200, ...refusal }, { endStream: true });
  });
  for (const _ of [1, 2]) {
    expect(await failure(channel.unary("/a", MESSAGE, 5_000))).toMatchObject({ code: 11, message: "50% gone" });
  }
});

test("a call without an answer ends at its timeout, and counts as sent", async () => {
  const { channel } = await connected(() => {});
  expect(await failure(channel.unary("/a", MESSAGE, 50))).toMatchObject({ code: DEADLINE_EXCEEDED, wasSent: true });
});

test("a call that the server refuses to read counts as not sent, one that breaks off as sent", async () => {
  const { channel } = await connected((stream) => {
    if (stream.id === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else stream.session?.destroy();
  });
  expect(await failure(channel.unary("/a", MESSAGE, 5_000))).toMatchObject({ code: UNAVAILABLE, wasSent: false });
  expect(await failure(channel.unary("/a", MESSAGE, 5_000))).toMatchObject({ code: UNAVAILABLE, wasSent: true });
});

test("nothing is sent without a connection, and a lost one is made again", async () => {
  const { channel, server } = await connected((stream) => finish(stream, { "grpc-status": "0" }, framed("answer")));
  expect(await failure(new Channel("http://127.0.0.1:9").unary("/a", MESSAGE, 5_000))).toMatchObject({
    code: UNAVAILABLE,
    wasSent: false,
  });
  await channel.unary("/a", MESSAGE, 5_000);
  const lost = new Promise<void>((resolve) => {
    server.once("stream", (stream) => stream.session?.once("close", resolve).destroy());
  });
  await failure(channel.unary("/a", MESSAGE, 5_000));
  await lost;
  expect(String(await channel.unary("/a", MESSAGE, 5_000))).toBe("answer");
});

test("a stream delivers messages until it is cancelled, and reports its end", async () => {
  const { channel } = await connected((stream) => {
    stream.respond({ ":status": 200 });
    stream.once("data", () => stream.write(Buffer.concat([framed("one"), framed("two")])));
    stream.on("data", (chunk: Buffer) => {
      if (chunk.includes("end")) stream.session?.destroy();
    });
  });
  const seen: string[] = [];
  const reasons: number[] = [];
  let over = (): void => {};
  const isOver = new Promise<void>((resolve) => {
    over = resolve;
  });
  const ended = ({ code }: RpcError): void => {
    reasons.push(code);
    over();
  };
  const cancelled = channel.openStream("/w", {}, { message: () => cancelled.cancel(), ended });
  cancelled.send(MESSAGE);
  const stream = channel.openStream(
    "/w",
    {},
    {
      message: (bytes) => {
        seen.push(String(bytes));
        if (seen.length === 2) stream.send(Buffer.from("end"));
      },
      ended,
    },
  );
  stream.send(MESSAGE);
  await isOver;
  expect(seen).toEqual(["one", "two"]);
  expect(reasons).toEqual([UNAVAILABLE]);
});
