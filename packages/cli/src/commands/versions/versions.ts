/** `portcullis versions …`: what differs between versions of Kubernetes. */
import { commandGroup } from "../../frame/group.ts";

export const versions = commandGroup({
  name: "versions",
  summary: "compare versions of Kubernetes",
  about: ["Commands about the versions of Kubernetes that Portcullis can behave as."],
  examples: [{ does: "list what an upgrade changes", run: "portcullis versions diff 1.34 1.37" }],
  subcommands: [{ name: "diff", load: async () => (await import("./versions-diff.ts")).versionsDiff }],
});
