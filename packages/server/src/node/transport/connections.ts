/**
 * The open connections of a listener. There are only so many: when one more comes, the one that has been without a request
 * for longest makes room, so that clients which connect and say nothing cannot keep others out.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

const MOST = 10_000;
/** Of the files that the process may open; the rest is for the store, webhooks and logs. */
const SHARE = 0.75;

/** A request knows its connection by this, because TLS and HTTP/2 wrap the socket. */
type Peer = Pick<Socket, "remoteAddress" | "remotePort">;

interface Connection {
  readonly socket: Socket;
  open: number;
}

export class Connections {
  readonly #limit: number;
  readonly #all = new Map<string, Connection>();
  /** Those without an open request, the one that was used last at the end. */
  readonly #idle = new Set<Connection>();

  constructor(limit: number = mostConnections()) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#all.size;
  }

  sockets(): Socket[] {
    return [...this.#all.values()].map(({ socket }) => socket);
  }

  /** The new one is refused only if all others have open requests. */
  add(socket: Socket): void {
    const key = keyOf(socket);
    if (this.#all.size >= this.#limit && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const connection = { socket, open: 0 };
    this.#all.set(key, connection);
    this.#idle.add(connection);
    socket.once("close", () => this.#remove(key, connection));
  }

  /** A request has begun; the function that it returns is to be called when it is over. */
  begin(peer: Peer): () => void {
    const connection = this.#all.get(keyOf(peer));
    if (connection === undefined) return () => {};
    if (connection.open++ === 0) this.#idle.delete(connection);
    return () => {
      if (--connection.open === 0 && !connection.socket.destroyed) this.#idle.add(connection);
    };
  }

  #makeRoom(): boolean {
    for (const connection of this.#idle) {
      this.#remove(keyOf(connection.socket), connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  #remove(key: string, connection: Connection): void {
    this.#idle.delete(connection);
    // The address may belong to the next connection already.
    if (this.#all.get(key) === connection) this.#all.delete(key);
  }
}

function keyOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Fewer where the system allows few open files. */
function mostConnections(): number {
  try {
    const [, files = ""] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return files === "" ? MOST : Math.min(MOST, Math.floor(Number(files) * SHARE));
  } catch {
    // Other systems than Linux do not say.
    return MOST;
  }
}
