/** An etcd and a kube-apiserver of their own, with an audit log and impersonation. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pause, Server } from "../policy/live.mjs";

/** `KUBE_APISERVER` and `ETCD` name the programs. */
export async function startCluster(auditPolicy) {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-audit-"));
  const at = (name) => path.join(folder, name);
  const [client, peer, port] = await Promise.all([freePort(), freePort(), freePort()]);
  writeFileSync(at("audit.json"), JSON.stringify(auditPolicy));
  const tokens = { admin: "admin-token", setup: "setup-token" };
  writeFileSync(
    at("tokens.csv"),
    Object.entries(tokens)
      .map(([name, token]) => `${token},${name},${name},"system:masters"\n`)
      .join(""),
  );
  spawnSync("openssl", ["genrsa", "-out", at("sa.key"), "2048"], { stdio: "ignore" });
  const etcd = spawn(process.env.ETCD ?? "etcd", etcdFlags(at("etcd"), client, peer), { stdio: "ignore" });
  const flags = serverFlags(at, client, port);
  const server = spawn(process.env.KUBE_APISERVER ?? "kube-apiserver", flags, { stdio: "ignore" });
  const url = `https://127.0.0.1:${port}`;
  const stop = async () => {
    server.kill("SIGKILL");
    etcd.kill("SIGKILL");
    await pause(300);
    rmSync(folder, { recursive: true, force: true });
  };
  const reach = new Server({ url, tokens, auditLog: at("audit.log") });
  for (let attempt = 0; ; attempt++) {
    const answer = await reach.request("GET", "/readyz").catch(() => undefined);
    if (answer?.code === 200) break;
    if (attempt > 180) {
      await stop();
      throw new Error("kube-apiserver does not start");
    }
    await pause(500);
  }
  return { url, tokens, auditLog: at("audit.log"), folder, stop };
}

function etcdFlags(data, client, peer) {
  const [clients, peers] = [client, peer].map((port) => `http://127.0.0.1:${port}`);
  return [
    ["data-dir", data],
    ["listen-client-urls", clients],
    ["advertise-client-urls", clients],
    ["listen-peer-urls", peers],
    ["initial-advertise-peer-urls", peers],
    ["initial-cluster", `default=${peers}`],
    ["unsafe-no-fsync", "true"],
  ].map(([name, value]) => `--${name}=${value}`);
}

function serverFlags(at, etcd, port) {
  return [
    ["etcd-servers", `http://127.0.0.1:${etcd}`],
    ["secure-port", port],
    ["cert-dir", at("certs")],
    ["token-auth-file", at("tokens.csv")],
    ["authorization-mode", "RBAC"],
    ["service-account-key-file", at("sa.key")],
    ["service-account-signing-key-file", at("sa.key")],
    ["service-account-issuer", "https://kubernetes.default.svc"],
    ["service-cluster-ip-range", "10.0.0.0/16"],
    ["disable-admission-plugins", "ServiceAccount"],
    ["audit-policy-file", at("audit.json")],
    ["audit-log-path", at("audit.log")],
  ].map(([name, value]) => `--${name}=${value}`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
