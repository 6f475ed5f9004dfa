import { chmodSync } from "node:fs";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { afterEach, describe, expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand, writeFiles } from "../commands.testing.ts";
import { hasBash } from "../processes.testing.ts";

const before = process.env["PATH"];

afterEach(() => {
  process.env["PATH"] = before;
});

const RENDERED = `---
# Source: app/templates/config.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: Bad_Name}
---
# Source: app/templates/fine.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: fine}
`;

/** Programs that print their arguments' files instead of the real ones; the only ones on the path. */
function withTools(tools: Readonly<Record<string, string>>): void {
  const folder = scratchFolder();
  writeFiles(folder, tools);
  for (const name of Object.keys(tools)) chmodSync(path.join(folder, name), 0o755);
  process.env["PATH"] = folder;
}

const print = (text: string): string => `#!/bin/sh\necho "# $*"\n/bin/cat <<'END'\n${text}END\n`;

// The programs in place of helm and kustomize are shell scripts.
describe.runIf(hasBash)("rendered input", () => {
  test("a chart is rendered with its values, and findings name the template", async () => {
    withTools({ helm: print(RENDERED) });
    const { code, stdout } = await runCommand(check, ["--helm", "charts/app=prod.yaml"], {});
    expect(code).toBe(1);
    expect(stdout).toContain("helm:charts/app:6:18  error  validation/name  v1 ConfigMap Bad_Name\n");
    expect(stdout).toContain("  = rendered from charts/app/templates/config.yaml\n");
    expect(stdout).toContain("2 objects, 1 file: 1 error, 0 warnings\n");
  });

  test("annotations for GitHub are on the template", async () => {
    withTools({ helm: print(RENDERED) });
    const { stdout } = await runCommand(check, ["--helm", "charts/app", "-o", "github"], {});
    expect(stdout).toMatch(/^::error file=charts\/app\/templates\/config\.yaml,title=validation\/name/);
  });

  test("standard input names its templates too", async () => {
    const { stdout } = await runCommand(check, ["-"], { "-": RENDERED });
    expect(stdout).toContain("-:5:18  error  validation/name");
    expect(stdout).toContain("  = rendered from app/templates/config.yaml\n");
  });

  test("a kustomization is built with kustomize, or with kubectl", async () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name}\n";
    withTools({ kubectl: print(text) });
    const { stdout } = await runCommand(check, ["-k", "overlays/prod"], {});
    expect(stdout).toContain("kustomize:overlays/prod:4:18  error  validation/name");
    withTools({ kustomize: print(text.replace("Bad_Name", "fine")), kubectl: "#!/bin/sh\nexit 1\n" });
    expect((await runCommand(check, ["-k", "overlays/prod"], {})).code).toBe(0);
  });

  test("findings of a kustomization name its file", async () => {
    withTools({ kustomize: print("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name}\n") });
    const files = { "app/kustomization.yml": "" };
    const { stdout } = await runCommand(check, ["-k", "@/app", "-o", "github"], files);
    expect(stdout).toMatch(/^::error file=app\/kustomization\.yml,title=validation\/name/);
  });

  test("a chart is rendered for the first version of Kubernetes", async () => {
    withTools({ helm: '#!/bin/sh\necho "{apiVersion: v1, kind: ConfigMap, metadata: {name: x_$5_$6}}"\n' });
    const { stdout } = await runCommand(check, ["--helm", "app", "--kube-version", "1.34,1.36"], {});
    expect(stdout).toContain('Invalid value: "x_--kube-version_1.34"');
  });

  test("the error of a tool is shown, not the warnings before it", async () => {
    const script = "#!/bin/sh\nprintf 'WARNING: a\\nw: b\\n\\nError: c\\n\\nUse d\\n' >&2\nexit 1\n";
    withTools({ helm: script });
    await expect(runCommand(check, ["--helm", "x"], {})).rejects.toThrow("helm failed: Error: c; Use d");
  });

  test("a tool that is missing or fails ends the command", async () => {
    withTools({ kustomize: "#!/bin/sh\necho no such kustomization >&2\nexit 1\n" });
    await expect(runCommand(check, ["-k", "x"], {})).rejects.toThrow("kustomize failed: no such kustomization");
    await expect(runCommand(check, ["--helm", "x"], {})).rejects.toThrow("`--helm x`: `helm` is not installed");
    withTools({});
    await expect(runCommand(check, ["-k", "x"], {})).rejects.toThrow("neither `kustomize` nor `kubectl` is installed");
  });

  test.each([
    { name: "exits without a message", script: "exit 3", reason: "it exited with 3 and wrote no error" },
    { name: "is killed", script: "kill -9 $$", reason: "it was ended by SIGKILL" },
    { name: "writes without end", script: "exec /usr/bin/yes", reason: "it wrote more than 268435456 bytes" },
  ])("a tool that $name is reported as such", async ({ script, reason }) => {
    withTools({ helm: `#!/bin/sh\n${script}\n` });
    await expect(runCommand(check, ["--helm", "x"], {})).rejects.toThrow(`\`--helm x\`: helm failed: ${reason}`);
  });

  test("a kustomization may be named by its file", async () => {
    withTools({ kustomize: '#!/bin/sh\necho "{apiVersion: v1, kind: ConfigMap, metadata: {name: $2}}"\n' });
    const { stdout } = await runCommand(check, ["-k", "over_lays/kustomization.yaml"], {});
    expect(stdout).toContain('Invalid value: "./over_lays"');
  });
});
