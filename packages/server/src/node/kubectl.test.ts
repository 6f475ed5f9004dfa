/**
 * The real kubectl against a server on a socket; left out where there is none on the path, or only an old one. $KUBECTL
 * names another one.
 */
import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { widget, widgetDefinition } from "../app/app.testing.ts";
import { sharedFolder } from "./scratch.testing.ts";
import { type RunningServer, startServer } from "./start.ts";

const MINUTE = 60_000;
const KUBECTL = process.env["KUBECTL"] ?? "kubectl";

/** Older ones lack commands that are tried here. */
const OLDEST_MINOR = 30;

function hasKubectl(): boolean {
  try {
    const text = execFileSync(KUBECTL, ["version", "--client", "-o", "json"], { timeout: MINUTE, encoding: "utf8" });
    const { minor } = JSON.parse(text).clientVersion;
    // A binary built from a checkout has no version and is not an old one.
    return minor === "" || Number.parseInt(minor, 10) >= OLDEST_MINOR;
  } catch {
    return false;
  }
}

// Nothing else speaks as kubectl does: without one on PATH (Debian: kubernetes-client), or `KUBECTL`, there is nothing to run.
describe.skipIf(!hasKubectl())("kubectl", { timeout: MINUTE }, () => {
  const folder = sharedFolder();
  const file = (name: string): string => path.join(folder, name);
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
    writeFileSync(file("kubeconfig"), server.kubeconfig());
    await kubectl("apply", "-f", manifest("definition", widgetDefinition()));
    await kubectl("wait", "--for=condition=Established", "crd/widgets.example.com", "--timeout=20s");
    await kubectl("apply", "-f", manifest("widget", widget("a", { spec: { size: 3 } })));
  }, MINUTE);

  afterAll(() => server.stop());

  function manifest(name: string, object: object): string {
    writeFileSync(file(`${name}.json`), JSON.stringify(object));
    return file(`${name}.json`);
  }

  /** What it says, with the exit code where that is not 0. */
  function kubectl(...args: string[]): Promise<string> {
    const own = ["--kubeconfig", file("kubeconfig"), "--cache-dir", file("cache")];
    const env = { ...process.env, KUBE_EDITOR: "sed -i s/replicas:.2/replicas:\\ 7/" };
    return new Promise((resolve) => {
      execFile(KUBECTL, [...own, ...args], { timeout: MINUTE, env }, (error, stdout, stderr) => {
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

  test("checks and changes permissions", async () => {
    expect(await kubectl("auth", "can-i", "list", "widgets", "--as=bob")).toMatch(/^no\n/);
    await kubectl("create", "role", "reader", "--verb=list", "--resource=widgets.example.com");
    await kubectl("create", "rolebinding", "reader", "--role=reader", "--user=bob");
    expect(await kubectl("auth", "can-i", "list", "widgets", "--as=bob")).toBe("yes\n");
    expect(await kubectl("get", "secrets", "--as=bob")).toContain('User "bob" cannot list resource "secrets"');
    expect(await kubectl("create", "token", "default")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test("changes built-in objects with every command", async () => {
    const made = await kubectl("create", "deployment", "web", "--image=i:1", "--replicas=2");
    expect(made).toBe("deployment.apps/web created\n");
    expect(await kubectl("edit", "deployment", "web")).toBe("deployment.apps/web edited\n");
    expect(await replicas("web")).toBe("7");
    expect(await kubectl("scale", "deployment/web", "--replicas=4")).toBe("deployment.apps/web scaled\n");
    expect(await kubectl("label", "deployment", "web", "tier=front")).toBe("deployment.apps/web labeled\n");
    expect(await kubectl("annotate", "deployment", "web", "note=n")).toBe("deployment.apps/web annotated\n");
    const strategic = '{"spec":{"template":{"spec":{"containers":[{"name":"i","env":[{"name":"A","value":"b"}]}]}}}}';
    expect(await kubectl("patch", "deployment", "web", "-p", strategic)).toBe("deployment.apps/web patched\n");
    const json = '[{"op":"replace","path":"/spec/replicas","value":5}]';
    expect(await kubectl("patch", "deployment", "web", "--type=json", "-p", json)).toBe(
      "deployment.apps/web patched\n",
    );
    const merge = ["patch", "deployment", "web", "--type=merge", "-p", '{"metadata":{"labels":{"tier":null}}}'];
    expect(await kubectl(...merge)).toBe("deployment.apps/web patched\n");
    expect(await replicas("web")).toBe("5");
    writeFileSync(file("web.json"), await kubectl("get", "deployment", "web", "-o", "json"));
    expect(await kubectl("replace", "-f", file("web.json"))).toBe("deployment.apps/web replaced\n");
    const containers = "jsonpath={.spec.template.spec.containers[0].env[0].value}";
    expect(await kubectl("get", "deployment", "web", "-o", containers)).toBe("b");
  });

  const replicas = (name: string): Promise<string> =>
    kubectl("get", "deployment", name, "-o", "jsonpath={.spec.replicas}");

  test("uses dry runs and field validation", async () => {
    const dry = await kubectl("create", "configmap", "c", "--from-literal=a=b", "--dry-run=server");
    expect(dry).toBe("configmap/c created (server dry run)\n");
    expect(await kubectl("get", "configmap", "c")).toContain("NotFound");
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "b" }, dta: {} };
    const create = (validate: string): Promise<string> =>
      kubectl("create", "--dry-run=server", `--validate=${validate}`, "-f", manifest("config", config));
    expect(await create("strict")).toMatch(/strict decoding error: unknown field "dta"\s*exit 1$/);
    expect(await create("warn")).toContain('unknown field "dta"');
    expect(await create("warn")).toContain("configmap/c created (server dry run)");
    expect(await create("ignore")).toBe("configmap/c created (server dry run)\n");
    const strictPatch = ["patch", "wd", "a", "--type=merge", "-p", '{"spec":{"sise":1}}'];
    expect(await kubectl(...strictPatch)).toContain('unknown field "spec.sise"');
  });

  test("deletes, and waits until it is gone", async () => {
    await kubectl("apply", "-f", manifest("doomed", widget("doomed", { spec: { size: 1 } })));
    expect(await kubectl("delete", "wd", "doomed", "--timeout=20s")).toContain('"doomed" deleted');
    expect(await kubectl("get", "wd", "doomed")).toContain("NotFound");
  });
});
