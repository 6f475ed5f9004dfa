/** Paths as text: inputs may be files on disk or files of a commit. Both separators occur on Windows. */

/** `a/b` for `a/b/c.yaml`; "" for a name without a folder, and `/` for a file in the root. */
export function folderOf(file: string): string {
  const at = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
  if (at < 0) return "";
  return at === 0 ? file.slice(0, 1) : file.slice(0, at);
}

export function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

/** Joins and removes `.` and `..`. */
export function join(folder: string, name: string): string {
  const steps: string[] = [];
  for (const step of `${folder}/${name}`.split(/[\\/]/)) {
    const last = steps.at(-1);
    if (step === "..") {
      if (last === undefined || last === "..") steps.push("..");
      else steps.pop();
    } else if (step !== "." && step !== "") steps.push(step);
  }
  return `${folder.startsWith("/") ? "/" : ""}${steps.join("/")}`;
}
