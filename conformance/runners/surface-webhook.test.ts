/** The webhook against what kube-apiserver decided under the same policies. */
import { surfaceCorpora } from "./surfaces/corpora.ts";
import { testSurface } from "./surfaces/run.ts";
import { webhookSurface } from "./surfaces/webhook-surface.ts";

testSurface(
  webhookSurface,
  surfaceCorpora().filter(({ topic }) => topic.startsWith("policy-")),
);
