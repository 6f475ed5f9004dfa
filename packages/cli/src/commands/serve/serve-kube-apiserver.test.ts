import { createVerify, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Authority, type Certificate, createAuthority } from "@portcullis/server";
import { bundleProgram, type Child, type Program, runProgram } from "@portcullis/server/node/child.testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runKubeApiserver } from "./serve-kube-apiserver.ts";
import { parseKubeFlags } from "./serve-kube-flags.ts";

interface Answer {
  readonly code: number;
  readonly text: string;
}

interface Sent {
  readonly method?: string;
  readonly body?: object;
  readonly token?: string;
  readonly user?: Certificate;
}

/** What envtest does: CAs for the server, clients and service accounts, and a folder with their files. */
class Envtest {
  readonly folder = mkdtempSync(path.join(tmpdir(), "portcullis-envtest-"));
  readonly #authorities: readonly [serving: Authority, clients: Authority, accounts: Authority];
  readonly issuer = "https://127.0.0.1:6443/";
  /** The listening port, once known: envtest chooses it, and another process may take it meanwhile. */
  url = "";

  private constructor(authorities: readonly [Authority, Authority, Authority]) {
    this.#authorities = authorities;
  }

  static async prepare(): Promise<Envtest> {
    const now = Date.now();
    const authorities = [await createAuthority(now), await createAuthority(now), await createAuthority(now)] as const;
    const env = new Envtest(authorities);
    const [serving, clients, accounts] = authorities;
    const { cert, key } = await serving.issue({ commonName: "localhost", hosts: ["localhost", "127.0.0.1"] });
    const write = (name: string, text: string): void => writeFileSync(path.join(env.folder, name), text);
    write("apiserver.crt", cert);
    write("apiserver.key", key);
    write("client-cert-auth-ca.crt", clients.cert);
    write("sa-signer.crt", accounts.cert);
    write("sa-signer.key", accounts.key);
    return env;
  }

  /** In the order and the format that envtest uses. */
  get flags(): string[] {
    const at = (name: string): string => path.join(this.folder, name);
    return [
      "--allow-privileged=true",
      "--authorization-mode=RBAC",
      "--bind-address=127.0.0.1",
      `--cert-dir=${this.folder}`,
      `--client-ca-file=${at("client-cert-auth-ca.crt")}`,
      "--disable-admission-plugins=ServiceAccount",
      "--etcd-servers=http://127.0.0.1:1",
      "--secure-port=0",
      `--service-account-issuer=${this.issuer}`,
      `--service-account-key-file=${at("sa-signer.crt")}`,
      `--service-account-signing-key-file=${at("sa-signer.key")}`,
      "--service-cluster-ip-range=10.0.0.0/24",
    ];
  }

  get accountKey(): X509Certificate {
    return new X509Certificate(this.#authorities[2].cert);
  }

  addUser(commonName: string, organizations: readonly string[] = []): Promise<Certificate> {
    return this.#authorities[1].issue({ commonName, organizations });
  }

  send(target: string, { method = "GET", body, token, user }: Sent = {}): Promise<Answer> {
    const headers = {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const options = { method, headers, ca: this.#authorities[0].cert, agent: false, ...user };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.url}${target}`, options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ code: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end(body && JSON.stringify(body));
    });
  }
}

describe("with the flags that envtest passes", () => {
  let env: Envtest;
  let program: Program;
  let server: Child;
  let admin: Certificate;

  beforeAll(async () => {
    env = await Envtest.prepare();
    program = await bundleProgram(new URL("../../kube-apiserver.ts", import.meta.url));
    server = runProgram(process.execPath, [program.file, ...env.flags, "--in-memory"], env.folder);
    admin = await env.addUser("default", ["system:masters"]);
    [, env.url = ""] = await server.until(/serving on (\S+)\n/);
  });

  afterAll(async () => {
    server.process.kill("SIGKILL");
    await server.ended;
    program.remove();
    rmSync(env.folder, { recursive: true, force: true });
  });

  test("it is healthy for everybody, with the certificate in the folder", async () => {
    expect(await env.send("/healthz")).toEqual({ code: 200, text: "ok" });
    expect((await env.send("/readyz")).code).toBe(200);
  });

  test("client certificates of the given CA authenticate, and roles authorize", async () => {
    const namespaces = "/api/v1/namespaces";
    const made = await env.send(namespaces, { method: "POST", body: { metadata: { name: "a" } }, user: admin });
    expect(made.code).toBe(201);
    const bob = await env.addUser("bob");
    const refused = await env.send(`${namespaces}/a`, { user: bob });
    expect([refused.code, JSON.parse(refused.text).message]).toEqual([
      403,
      'namespaces "a" is forbidden: User "bob" cannot get resource "namespaces" in API group "" in the namespace "a"',
    ]);
  });

  test("service account tokens are signed with the given key", async () => {
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    // No controller creates it, as with a kube-apiserver alone.
    const made = await env.send(accounts, { method: "POST", body: { metadata: { name: "default" } }, user: admin });
    expect(made.code).toBe(201);
    const target = `${accounts}/default/token`;
    const answer = await env.send(target, { method: "POST", body: { spec: {} }, user: admin });
    const token: string = JSON.parse(answer.text).status.token;
    const [header = "", payload = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    expect([claims.iss, claims.aud]).toEqual([env.issuer, [env.issuer]]);
    const key = { key: env.accountKey.publicKey, dsaEncoding: "ieee-p1363" } as const;
    const isSigned = createVerify("sha256")
      .update(`${header}.${payload}`)
      .verify(key, Buffer.from(signature, "base64url"));
    expect(isSigned).toBe(true);
    const forbidden = await env.send("/api/v1/nodes", { token });
    expect(JSON.parse(forbidden.text).message).toContain("system:serviceaccount:default:default");
  });

  test("its own service has the first address of the range and routes to it", async () => {
    const service = await env.send("/api/v1/namespaces/default/services/kubernetes", { user: admin });
    expect(JSON.parse(service.text).spec.clusterIP).toBe("10.0.0.1");
    const endpoints = await env.send("/api/v1/namespaces/default/endpoints/kubernetes", { user: admin });
    expect(JSON.parse(endpoints.text).subsets[0].addresses).toEqual([{ ip: "127.0.0.1" }]);
  });

  test("it exits cleanly on a signal", async () => {
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
});

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const code = await runKubeApiserver(args, {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    stdin: () => "",
    color: false,
  });
  return { code, out, err };
}

test("the help names flags as kube-apiserver does, and no removed ones", async () => {
  const { code, out } = await run("--help");
  expect(code).toBe(0);
  expect(out).toMatch(/^\s*--etcd-servers\b/m);
  expect(out).not.toMatch(/^\s*--insecure-port\b/m);
});

// biome-ignore format: a table
test.each([
  { name: "an unknown flag", args: ["--etcd-server=x"], message: "unknown flag: --etcd-server" },
  { name: "a flag without its value", args: ["--secure-port"], message: "flag needs an argument: --secure-port" },
  { name: "an unsupported security flag", args: ["--encryption-provider-config=x"], message: "--encryption-provider-config is not supported and cannot be ignored" },
  { name: "a missing storage", args: ["--secure-port=0"], message: "--etcd-servers must be specified" },
  { name: "an unknown authorization mode", args: ["--in-memory", "--authorization-mode=Roles"], message: "authorization-mode \"Roles\" is not a valid mode" },
])("$name is an error", async ({ args, message }) => {
  expect(await run(...args)).toEqual({ code: 1, out: "", err: `Error: ${message}\n` });
});

test("values follow their flag or an equals sign, and flags without effect are reported", () => {
  const flags = parseKubeFlags([
    "--secure-port",
    "1",
    "--v=2",
    "--watch-cache",
    "--goaway-chance",
    "0.1",
    "--api-audiences=a,b",
  ]);
  expect([flags.text("secure-port"), flags.all("api-audiences"), flags.ignored]).toEqual([
    "1",
    ["a", "b"],
    ["goaway-chance"],
  ]);
});
