/** Requests and answers of the fetch API. Several `Warning` headers become one there, joined by commas. */
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { type ApiRequest, type ApiResponse, BodyTooLarge, isStream, type StreamBody } from "../http/exchange.ts";

export function fromFetch(request: Request): ApiRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: url.pathname + url.search,
    header: (name) => request.headers.get(name) ?? undefined,
    headerValues: (name) => request.headers.get(name)?.split(", ") ?? [],
    headerNames: () => [...request.headers.keys()],
    readBody: async (limit) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (bytes.length > limit) throw new BodyTooLarge();
      return bytes;
    },
  };
}

export function toFetch({ status, headers, body }: ApiResponse): Response {
  const list = new Headers();
  for (const [name, value] of headers) list.append(name, value);
  const hasNoBody = status === 204 || status === 304;
  return new Response(hasNoBody ? null : bodyOf(body), { status, headers: list });
}

function bodyOf(body: ApiResponse["body"]): string | Uint8Array<ArrayBuffer> | ReadableStream {
  if (typeof body === "string") return body;
  return isStream(body) ? streamOf(body) : new Uint8Array(body);
}

function streamOf(body: StreamBody): ReadableStream {
  let pulled = (): void => {};
  return new ReadableStream({
    start: (controller) => {
      let isOpen = true;
      const end = (): void => {
        if (isOpen) controller.close();
        isOpen = false;
      };
      const cut = (): void => {
        if (isOpen && body.isAnswer) controller.error(new Error("the response was cut"));
        else end();
        isOpen = false;
      };
      body.start({
        write: (part) => {
          if (isOpen) controller.enqueue(new Uint8Array(typeof part === "string" ? encodeUtf8(part) : part));
        },
        pending: () => 0,
        drained: async () => {
          if (isOpen && (controller.desiredSize ?? 0) <= 0)
            await new Promise<void>((resolve) => {
              pulled = resolve;
            });
        },
        end,
        cut,
      });
    },
    pull: () => pulled(),
    cancel: () => {
      pulled();
      body.cancel();
    },
  });
}
