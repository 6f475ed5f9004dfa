/** The programs of the bundle. Only the one that runs is evaluated. */
export const PROGRAMS = {
  portcullis: () => import("./main.ts"),
  "portcullis-kube-apiserver": () => import("./kube-apiserver.ts"),
  worker: () => import("./workers/worker.ts"),
  reader: () => import("./workers/reader.ts"),
} as const;
