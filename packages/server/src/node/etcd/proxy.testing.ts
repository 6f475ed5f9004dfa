/** A line between a store and etcd that can be cut. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class CuttableLine {
  readonly endpoint: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.endpoint = `http://127.0.0.1:${port}`;
  }

  static async open(target: string): Promise<CuttableLine> {
    const port = Number(new URL(target).port);
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const line = new CuttableLine(server, typeof address === "object" ? (address?.port ?? 0) : 0);
    server.on("connection", (near) => line.#join(near, port));
    return line;
  }

  cut(isCut: boolean): void {
    this.#isCut = isCut;
    if (isCut) for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut(true);
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket, port: number): void {
    if (this.#isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }
}
