import { chmodSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { type RunningServer, startServer } from "@portcullis/server";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ClusterClient } from "./client.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { proxyFor } from "./proxy.ts";

function config(cluster: string, user: string): string {
  return `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: ${cluster}}]
users: [{name: u, user: ${user}}]
`;
}

function written(text: string, folder = scratchFolder()): string {
  const file = path.join(folder, "config");
  writeFileSync(file, text);
  return file;
}

const SERVER = "{server: 'https://10.0.0.1:6443'}";

describe("credentials", () => {
  test("a token file is relative to the kubeconfig and wins over a token", () => {
    const file = written(config(SERVER, "{token: a, tokenFile: token}"));
    writeFileSync(path.join(path.dirname(file), "token"), "b\n");
    expect(readKubeconfig(file).token).toBe("b");
  });

  test("a client certificate comes from data or from files", () => {
    const data = Buffer.from("CERT").toString("base64");
    const file = written(config(SERVER, `{client-certificate-data: ${data}, client-key: key.pem}`));
    writeFileSync(path.join(path.dirname(file), "key.pem"), "KEY");
    expect(readKubeconfig(file)).toMatchObject({ cert: "CERT", key: "KEY", token: undefined });
  });

  test("impersonation becomes headers", () => {
    const user = "{token: t, as: jane, as-uid: '7', as-groups: [dev, ops], as-user-extra: {example.com/team: [a]}}";
    expect(readKubeconfig(written(config(SERVER, user))).impersonation).toEqual({
      "Impersonate-User": "jane",
      "Impersonate-Uid": "7",
      "Impersonate-Group": ["dev", "ops"],
      "Impersonate-Extra-example.com%2Fteam": ["a"],
    });
  });

  test("several files are merged, and the first that has an entry wins", () => {
    const first = written("current-context: other\ncontexts: [{name: other, context: {cluster: k, user: mine}}]\n");
    const users = "users: [{name: mine, user: {token: second}}]\n";
    const second = written(`${config(SERVER, "{token: first}").replace(/^users.*$/m, "")}${users}`);
    const access = readKubeconfig([first, second].join(path.delimiter));
    expect(access).toMatchObject({ server: "https://10.0.0.1:6443", token: "second" });
    expect(() => readKubeconfig([first, second].join(path.delimiter), "none")).toThrow("no context `none`");
  });

  test("an auth-provider is refused, as kubectl refuses it", () => {
    expect(() => readKubeconfig(written(config(SERVER, "{auth-provider: {name: gcp}}")))).toThrow("use exec");
  });
});

/** A program that prints what the script says. */
function plugin(folder: string, script: string): void {
  const file = path.join(folder, "plugin");
  writeFileSync(file, `#!${process.execPath}\n${script}\n`);
  chmodSync(file, 0o755);
}

function execConfig(version: string, more = ""): string {
  const exec = `{apiVersion: client.authentication.k8s.io/${version}, command: ./plugin, args: [a, b], env: [{name: WHO, value: me}], interactiveMode: Never${more}}`;
  return config(SERVER, `{exec: ${exec}}`);
}

const PRINT = `
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const token = [process.argv.slice(2).join("+"), process.env.WHO, info.spec.interactive, info.spec.cluster?.server].join(" ");
console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: "ExecCredential", status: { token } }));`;

describe("programs that print credentials", () => {
  test.each(["v1", "v1beta1"])("%s gets its arguments, its environment and what the cluster is", (version) => {
    const folder = scratchFolder();
    plugin(folder, PRINT);
    expect(readKubeconfig(written(execConfig(version), folder)).token).toBe("a+b me false ");
    const informed = written(execConfig(version, ", provideClusterInfo: true"), folder);
    expect(readKubeconfig(informed).token).toBe("a+b me false https://10.0.0.1:6443");
  });

  test("a certificate with its key is used", () => {
    const folder = scratchFolder();
    const status = { clientCertificateData: "CERT", clientKeyData: "KEY" };
    const printed = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status };
    plugin(folder, `console.log(${JSON.stringify(JSON.stringify(printed))})`);
    expect(readKubeconfig(written(execConfig("v1"), folder))).toMatchObject({ cert: "CERT", key: "KEY" });
  });

  test("a token of the file is used without running the program", () => {
    const file = written(execConfig("v1").replace("user: {exec", "user: {token: own, exec"));
    expect(readKubeconfig(file).token).toBe("own");
  });

  test.each([
    { name: "an unknown version", version: "v1alpha1", script: "", message: "is not one of" },
    { name: "a program that fails", version: "v1", script: "process.exit(3)", message: "ended with 3" },
    { name: "no JSON", version: "v1", script: "console.log('hi')", message: "does not print JSON" },
    {
      name: "another version",
      version: "v1",
      script: `console.log('{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential"}')`,
      message: "client.authentication.k8s.io/v1 ExecCredential is expected",
    },
    {
      name: "no credential",
      version: "v1",
      script: `console.log('{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{}}')`,
      message: "neither a token nor a certificate",
    },
  ])("$name is an error", ({ version, script, message }) => {
    const folder = scratchFolder();
    plugin(folder, script);
    expect(() => readKubeconfig(written(execConfig(version), folder))).toThrow(message);
  });

  test("a program that is missing is reported with its installation hint", () => {
    const file = written(execConfig("v1", ", installHint: install it first"));
    expect(() => readKubeconfig(file)).toThrow(/cannot be run.*\n.*install it first/);
  });

  test("a program that needs a terminal is an error without one", () => {
    const file = written(execConfig("v1").replace("interactiveMode: Never", "interactiveMode: Always"));
    expect(() => readKubeconfig(file)).toThrow("it needs a terminal");
  });
});

describe("proxies", () => {
  test.each([
    { server: "https://k.example.com", url: "http://p:1", environment: {}, proxy: "http://p:1/" },
    { server: "https://k.example.com", url: undefined, environment: {}, proxy: undefined },
    { server: "https://k.example.com", url: undefined, environment: { HTTPS_PROXY: "p:1" }, proxy: "http://p:1/" },
    { server: "https://k.example.com", url: undefined, environment: { https_proxy: "p:1" }, proxy: "http://p:1/" },
    { server: "http://k.example.com", url: undefined, environment: { HTTPS_PROXY: "p:1" }, proxy: undefined },
    {
      server: "https://k.example.com",
      url: undefined,
      environment: { HTTPS_PROXY: "p:1", NO_PROXY: "a.com, .example.com" },
      proxy: undefined,
    },
    { server: "https://127.0.0.1:6443", url: undefined, environment: { HTTPS_PROXY: "p:1" }, proxy: undefined },
  ])("$server with proxy-url $url and $environment goes through $proxy", ({ server, url, environment, proxy }) => {
    expect(proxyFor(server, url, environment)?.href).toBe(proxy);
  });

  test("another protocol is refused", () => {
    expect(() => proxyFor("https://k", "ftp://p", {})).toThrow("is not a proxy");
  });
});

describe("a real connection", () => {
  let server: RunningServer;
  let connects: string[] = [];
  let proxy: Server;
  let socks: net.Server;

  beforeAll(async () => {
    server = await startServer();
    proxy = createServer();
    proxy.on("connect", ({ url = "" }: IncomingMessage, client: net.Socket) => {
      connects.push(url);
      const { port } = new URL(server.url);
      const target = net.connect(Number(port), "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
      target.pipe(client).pipe(target);
    });
    socks = net.createServer((client) => {
      client.once("data", () => {
        client.write(Buffer.from([5, 0]));
        client.once("data", (request) => {
          connects.push(`socks ${request.subarray(5, 5 + (request[4] ?? 0)).toString()}`);
          const target = net.connect(Number(new URL(server.url).port), "127.0.0.1", () => {
            client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
            target.pipe(client).pipe(target);
          });
        });
      });
    });
    await Promise.all(
      [proxy, socks].map((each) => new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve))),
    );
  });

  afterAll(async () => {
    proxy?.close();
    socks?.close();
    await server?.stop();
  });

  /** The kubeconfig of the server with another address and more settings of the cluster. */
  function client(address: string, settings: Readonly<Record<string, string>>): ClusterClient {
    const config = JSON.parse(server.kubeconfig());
    Object.assign(config.clusters[0].cluster, { server: address, ...settings });
    return new ClusterClient(readKubeconfig(written(JSON.stringify(config))));
  }

  const portOf = (each: net.Server): number => (each.address() as AddressInfo).port;

  test("`tls-server-name` is the name in the certificate, and another name is refused", async () => {
    const named = client(server.url, { "tls-server-name": "localhost" });
    expect(await named.get("/api/v1/namespaces/default")).toMatchObject({ kind: "Namespace" });
    await expect(client(server.url, { "tls-server-name": "other.example.com" }).get("/version")).rejects.toThrow(
      "altnames",
    );
  });

  test.each(["http", "socks5"])(
    "a proxy of %s carries the connection, and the name is that of the server",
    async (protocol) => {
      connects = [];
      const port = protocol === "http" ? portOf(proxy) : portOf(socks);
      const through = client("https://localhost:7777", { "proxy-url": `${protocol}://127.0.0.1:${port}` });
      expect(await through.get("/api/v1/namespaces/default")).toMatchObject({ kind: "Namespace" });
      expect(connects).toEqual([protocol === "http" ? "localhost:7777" : "socks localhost"]);
    },
  );

  test("a proxy that is not there is named in the message", async () => {
    const lost = client("https://localhost:7777", { "proxy-url": "http://127.0.0.1:1" });
    await expect(lost.get("/version")).rejects.toThrow("the proxy 127.0.0.1:1");
  });
});
