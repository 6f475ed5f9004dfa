/** The API server inside the process, with its HTTP requests and responses. */
import { startServer } from "@portcullis/server";
import type { RequestCase } from "../policy/request-case.ts";
import { RECORDED_CONTROLLERS, RECORDED_VERSION } from "../recorded-version.ts";
import { replay } from "../vectors/replay.ts";
import type { Vector } from "../vectors/vector.ts";
import type { Surface, SurfaceAnswer, Unanswered } from "./surface.ts";

type RunningServer = Awaited<ReturnType<typeof startServer>>;

const TOKENS = 'admin,admin,1,"system:masters"\nalice,alice,2,"devs"\n';

export class ServerSurface implements Surface {
  readonly name = "surface-server";
  #server: RunningServer | undefined;

  async answerSteps(vector: Vector): Promise<readonly (SurfaceAnswer | Unanswered)[]> {
    this.#server ??= await startServer({
      tls: "none",
      tokenFile: TOKENS,
      version: RECORDED_VERSION,
      controllers: RECORDED_CONTROLLERS,
    });
    const [first, ...rest] = await replay(this.#server.app, vector);
    if (first?.setupFailed === undefined) return first === undefined ? [] : [first, ...rest];
    return vector.steps.map(() => ({ unanswered: "the server does not store the CRD or the old object of the case" }));
  }

  /** They were recorded as policies see them, with what the server had done before. */
  async answerRequest(_: RequestCase): Promise<Unanswered> {
    return { unanswered: "requests as policies see them" };
  }

  /** Each corpus starts with an empty server. */
  async close(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }
}
