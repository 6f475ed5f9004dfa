/** The recorded mistakes in an editor: each that kube-apiserver refused has an error, and what it accepted has none. */
import { localServer, TestEditor } from "@portcullis/lsp/internal/server/editor.testing";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { RECORDED_VERSION } from "./recorded-version.ts";
import { surfaceCorpora } from "./surfaces/corpora.ts";
import { manifestWrites } from "./surfaces/situation.ts";

interface Mistake {
  readonly id: string;
  readonly text: string;
  readonly isRefused: boolean;
  readonly isStrict: boolean;
}

/** What the cluster refuses, whatever the manifest: an object that is there, another network, another default class. */
const BY_CLUSTER =
  /already exists$|not configured (?:on this cluster|for dual-stack)|from the given PriorityClass name$/;

/** Texts that are open at the same time. */
const BATCH = 50;

/** Creates only: what an update is compared with is in a commit, and there is none here. */
function mistakes(): readonly Mistake[] {
  const corpus = surfaceCorpora().find(({ topic }) => topic === "mistakes");
  return (corpus?.read() ?? []).flatMap((each) => {
    if (!("vector" in each)) return [];
    const writes = manifestWrites(each.vector);
    return writes.flatMap((write, step) => {
      if ("unanswered" in write || write.old !== undefined || write.there.length > 0) return [];
      const { code = 0, message = "" } = each.vector.expect[step] ?? {};
      if (BY_CLUSTER.test(String(message))) return [];
      const isStrict = write.fieldValidation === "strict";
      return [{ id: `${each.id}/${step}`, text: write.text, isRefused: code >= 400, isStrict }];
    });
  });
}

const root = sharedFolder();

test("every recorded mistake is shown, and nothing that is accepted", async () => {
  const { ended, ...streams } = localServer();
  const editor = new TestEditor(root, streams);
  await editor.start({ kubeVersion: RECORDED_VERSION, compare: "create" });
  await editor.ready();
  const all = mistakes();
  const [missed, wrong]: [string[], string[]] = [[], []];
  for (let at = 0; at < all.length; at += BATCH) {
    const batch = all
      .slice(at, at + BATCH)
      .map((mistake, index) => ({ ...mistake, file: `${at + index}/object.yaml` }));
    for (const { file, text } of batch) await editor.open(file, text);
    for (const { file, id, text, isRefused, isStrict } of batch) {
      const errors = (await editor.diagnostics(file)).filter(({ severity }) => severity === 1);
      if (isRefused && errors.length === 0) missed.push(`${id} ${text.slice(0, 300)}`);
      if (!isRefused && isStrict && errors.length > 0) wrong.push(`${id} ${errors[0]?.message} ${text.slice(0, 300)}`);
    }
    for (const { file } of batch) await editor.close(file);
  }
  await editor.stop();
  await ended;
  const refused = all.filter(({ isRefused }) => isRefused).length;
  expect([refused, all.length - refused]).toEqual([1765, 498]);
  expect(missed.slice(0, 10)).toEqual([]);
  expect(wrong.slice(0, 10)).toEqual([]);
});
