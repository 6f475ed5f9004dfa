/** The findings of an editor and of `portcullis check`, in one form. */
import type { FindingData } from "@portcullis/lsp/internal/diagnostics/convert";
import type { TestEditor } from "@portcullis/lsp/internal/server/editor.testing";
import { check } from "./check.ts";
import { runCommand } from "./commands.testing.ts";

export type Files = Readonly<Record<string, string>>;

export interface Line {
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint: string | undefined;
}

/** Without what is marked as stale. */
export function current(diagnostics: Awaited<ReturnType<TestEditor["settled"]>>): readonly Line[] {
  return sorted(
    diagnostics
      .map(({ data, range }) => ({ ...(data as FindingData), start: range.start }))
      .filter(({ isStale }) => !isStale)
      .map(({ rule, message, hint, start }) => ({
        rule,
        line: start.line + 1,
        column: start.character + 1,
        message,
        hint,
      })),
  );
}

interface Shown {
  readonly file: string;
  readonly rule: string;
  readonly range?: { readonly start: { readonly line: number; readonly column: number } };
  readonly message: string;
  readonly hint?: string;
}

export async function checked(files: Files, file: string, args: readonly string[] = []): Promise<readonly Line[]> {
  const hasPolicies = Object.values(files).some((text) => text.includes("kind: ValidatingAdmissionPolicy"));
  const policies = hasPolicies ? ["--policies", "@/"] : [];
  const all = ["@/", ...policies, ...args, "-o", "json", "--allow-empty", "--show", "all"];
  const { stdout } = await runCommand(check, all, files);
  const { findings }: { readonly findings: readonly Shown[] } = JSON.parse(stdout);
  return sorted(
    findings
      .filter((each) => each.file === file)
      .map(({ rule, range, message, hint }) => ({
        rule,
        line: range?.start.line ?? 1,
        column: range?.start.column ?? 1,
        message,
        hint,
      })),
  );
}

/** `check` reports a policy as an input and as a policy. */
function sorted(lines: readonly Line[]): readonly Line[] {
  const texts = [...new Set(lines.map((line) => JSON.stringify(line)))].sort();
  return texts.map((text): Line => JSON.parse(text));
}
