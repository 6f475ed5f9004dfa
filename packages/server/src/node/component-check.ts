/**
 * Checks the health of cluster components as kube-apiserver does: over HTTPS on its own machine, without verifying the
 * certificate. Failures have the messages of Go's HTTP client.
 */
import { request } from "node:https";
import type { CheckComponent, ComponentHealth } from "../components/statuses.ts";

const TIMEOUT_MS = 20_000;
const MAX_BODY = 10_240;

export const checkComponent: CheckComponent = (url) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const fail = (error: Error): void =>
      resolve({ isHealthy: false, message: failure(url, `${hostname}:${port}`, error) });
    const options = { rejectUnauthorized: false, agent: false, timeout: TIMEOUT_MS };
    const outgoing = request(url, options, (incoming) => {
      let body = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => {
        body = (body + chunk).slice(0, MAX_BODY);
      });
      incoming.on("end", () => resolve(healthOf(incoming.statusCode ?? 0, body)));
      incoming.on("error", fail);
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(AWAITING)));
    outgoing.on("error", fail);
    outgoing.end();
  });

const AWAITING = "net/http: request canceled (Client.Timeout exceeded while awaiting headers)";

function healthOf(code: number, body: string): ComponentHealth {
  const isHealthy = code >= 200 && code < 400;
  return { isHealthy, message: isHealthy ? body : `HTTP probe failed with statuscode: ${code}` };
}

function failure(url: string, address: string, error: Error): string {
  const isRefused = "code" in error && error.code === "ECONNREFUSED";
  const reason = isRefused ? `dial tcp ${address}: connect: connection refused` : error.message;
  return `Get "${url}": ${reason}`;
}
