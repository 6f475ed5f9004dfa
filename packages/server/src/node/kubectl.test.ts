/** The real kubectl against a server on a socket; left out where there is none on the path, or only an old one. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { widget, widgetDefinition } from "../app.testing.ts";
import { type RunningServer, startServer } from "./start.ts";

const MINUTE = 60_000;

/** Older ones lack commands that are tried here. */
const OLDEST_MINOR = 30;

function hasKubectl(): boolean {
  try {
    const text = execFileSync("kubectl", ["version", "--client", "-o", "json"], { timeout: MINUTE, encoding: "utf8" });
    return Number.parseInt(JSON.parse(text).clientVersion.minor, 10) >= OLDEST_MINOR;
  } catch {
    return false;
  }
}

describe.skipIf(!hasKubectl())("kubectl", { timeout: MINUTE }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-kubectl-"));
  const file = (name: string): string => path.join(folder, name);
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
    writeFileSync(file("kubeconfig"), server.kubeconfig());
    await kubectl("apply", "-f", manifest("definition", widgetDefinition()));
    await kubectl("wait", "--for=condition=Established", "crd/widgets.example.com", "--timeout=20s");
    await kubectl("apply", "-f", manifest("widget", widget("a", { spec: { size: 3 } })));
  }, MINUTE);

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  function manifest(name: string, object: object): string {
    writeFileSync(file(`${name}.json`), JSON.stringify(object));
    return file(`${name}.json`);
  }

  /** What it says, with the exit code where that is not 0. */
  function kubectl(...args: string[]): Promise<string> {
    const own = ["--kubeconfig", file("kubeconfig"), "--cache-dir", file("cache")];
    return new Promise((resolve) => {
      execFile("kubectl", [...own, ...args], { timeout: MINUTE }, (error, stdout, stderr) => {
        resolve(`${stdout}${stderr}${error === null ? "" : `exit ${error.code}`}`);
      });
    });
  }

  test("explains fields of custom resources and of built-in kinds", async () => {
    expect(await kubectl("explain", "widget.spec.size")).toContain("FIELD: size <integer>");
    expect(await kubectl("explain", "deployment.spec.template")).toContain("<PodTemplateSpec>");
  });

  test("lists resources, and objects as tables", async () => {
    expect(await kubectl("api-resources", "--api-group=example.com")).toMatch(
      /widgets +wd +example.com\/v2 +true +Widget/,
    );
    expect(await kubectl("get", "wd", "a")).toMatch(/NAME +SIZE +AGE\na +3 +/);
  });

  test("applies, with and without the server's help, and shows what would change", async () => {
    const changed = manifest("changed", widget("a", { spec: { size: 4 } }));
    expect(await kubectl("diff", "-f", changed)).toMatch(/- {2}size: 3\n\+ {2}size: 4[\s\S]*exit 1$/);
    expect(await kubectl("apply", "-f", changed)).toBe("widget.example.com/a configured\n");
    expect(await kubectl("apply", "--server-side", "-f", changed)).toBe("widget.example.com/a serverside-applied\n");
    const misspelled = manifest("misspelled", widget("b", { spec: { sise: 4 } }));
    expect(await kubectl("apply", "-f", misspelled)).toContain('unknown field "spec.sise"');
  });

  test("patches, scales and waits", async () => {
    const merge = ["--type", "merge", "-p"];
    expect(await kubectl("patch", "wd", "a", ...merge, '{"spec":{"color":"red"}}')).toContain("patched");
    expect(await kubectl("scale", "wd/a", "--replicas=3")).toContain("scaled");
    await kubectl("patch", "wd", "a", "--subresource=status", ...merge, '{"status":{"phase":"Ready"}}');
    const waited = await kubectl("wait", "wd/a", "--for=jsonpath={.status.phase}=Ready", "--timeout=20s");
    expect(waited).toContain("condition met");
  });

  test("asks and changes who may do what", async () => {
    expect(await kubectl("auth", "can-i", "list", "widgets", "--as=bob")).toMatch(/^no\n/);
    await kubectl("create", "role", "reader", "--verb=list", "--resource=widgets.example.com");
    await kubectl("create", "rolebinding", "reader", "--role=reader", "--user=bob");
    expect(await kubectl("auth", "can-i", "list", "widgets", "--as=bob")).toBe("yes\n");
    expect(await kubectl("get", "secrets", "--as=bob")).toContain('User "bob" cannot list resource "secrets"');
    expect(await kubectl("create", "token", "default")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test("deletes, and waits until it is gone", async () => {
    await kubectl("apply", "-f", manifest("doomed", widget("doomed", { spec: { size: 1 } })));
    expect(await kubectl("delete", "wd", "doomed", "--timeout=20s")).toContain('"doomed" deleted');
    expect(await kubectl("get", "wd", "doomed")).toContain("NotFound");
  });
});
