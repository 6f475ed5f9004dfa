/** Files with secrets are readable by their owner only, also those that were created earlier with other permissions. */
import { chmod, mkdir, open, writeFile } from "node:fs/promises";

const [FILE_MODE, FOLDER_MODE] = [0o600, 0o700];

export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await tighten(folder, FOLDER_MODE);
}

/** Nothing happens where there is no such file. */
export async function makePrivate(file: string): Promise<void> {
  await tighten(file, FILE_MODE);
}

/** An empty file for another program to write to. */
export async function createPrivate(file: string): Promise<void> {
  await (await open(file, "w", FILE_MODE)).close();
  await makePrivate(file);
}

/** The mode comes before the secret. */
export async function writePrivate(file: string, text: string): Promise<void> {
  await makePrivate(file);
  await writeFile(file, text, { mode: FILE_MODE });
}

async function tighten(file: string, mode: number): Promise<void> {
  if (process.platform === "win32") return;
  try {
    await chmod(file, mode);
  } catch (error) {
    // The owner of a folder, such as a mounted volume, is responsible for protecting it.
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "ENOENT" && code !== "EPERM" && code !== "EROFS") throw error;
  }
}
