/** Programs to compare with, and the processor time that they take. */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import path from "node:path";

/** From PATH, $GOBIN or $(go env GOPATH)/bin. */
export function findProgram(name) {
  const { stdout } = spawnSync("go", ["env", "GOBIN", "GOPATH"], { encoding: "utf8" });
  const [gobin = "", gopath = ""] = (stdout ?? "").split("\n");
  const folders = [
    ...(process.env.PATH ?? "").split(path.delimiter),
    process.env.GOBIN ?? "",
    gobin,
    path.join(gopath, "bin"),
  ];
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return folders
    .filter((each) => each !== "")
    .map((each) => path.join(each, file))
    .find((each) => existsSync(each) && statSync(each).isFile());
}

/** Ends the process with ours, however ours ends: a server left behind takes the memory of the next measurement. */
export function endWithUs(child) {
  process.once("exit", () => child.kill("SIGKILL"));
  for (const signal of ["SIGINT", "SIGTERM"])
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(1));
  return child;
}

/** Processor time of the child processes that have ended, in milliseconds; not available on every system. */
export function childTime() {
  const { stdout } = spawnSync("cat", [`/proc/${process.pid}/stat`], { encoding: "utf8" });
  const fields = (stdout ?? "").slice((stdout ?? "").lastIndexOf(")") + 2).split(" ");
  return fields.length > 14 ? (Number(fields[13]) + Number(fields[14])) * 10 : Number.NaN;
}
