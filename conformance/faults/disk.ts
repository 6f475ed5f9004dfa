/**
 * A disk that is slow, full or broken for one server: a small library between the server and the kernel, which needs a C
 * compiler and Linux.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";

export type DiskFault = "none" | "slow" | "full" | "broken";

/** Why there can be no such disk here; undefined if there can. */
export const NO_FAULTY_DISK =
  process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0
    ? undefined
    : "needs Linux and a C compiler";

export class FaultyDisk {
  readonly #control: string;
  readonly #library: string;

  constructor(folder: string) {
    this.#control = path.join(folder, "disk-fault");
    this.#library = path.join(folder, "disk-fault.so");
    const args = ["-shared", "-fPIC", "-O2", "-o", this.#library, "-x", "c", "-", "-ldl"];
    const { status, stderr } = spawnSync("cc", args, { input: SOURCE, encoding: "utf8" });
    if (status !== 0) throw new Error(`cc failed: ${stderr}`);
    this.set("none");
  }

  /** For the process that is to have this disk. */
  get environment(): Readonly<Record<string, string>> {
    return { LD_PRELOAD: this.#library, PORTCULLIS_DISK_FAULT: this.#control };
  }

  set(fault: DiskFault): void {
    writeFileSync(this.#control, fault);
  }
}

/** Only regular files are affected; the fault is read before each call. */
const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char fault(int fd) {
  struct stat about;
  char mode = 'n';
  const char *file = getenv("PORTCULLIS_DISK_FAULT");
  if (file == NULL || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return mode;
  int control = open(file, O_RDONLY);
  if (control < 0) return mode;
  if (read(control, &mode, 1) != 1) mode = 'n';
  close(control);
  return mode;
}

static int synchronize(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  char mode = fault(fd);
  if (mode == 's') usleep(50000 + rand() % 250000);
  if (mode == 'b') {
    errno = EIO;
    return -1;
  }
  return real(fd);
}

int fsync(int fd) { return synchronize("fsync", fd); }

int fdatasync(int fd) { return synchronize("fdatasync", fd); }

typedef ssize_t (*writer)(int, const void *, size_t, off64_t);

static ssize_t write_at(const char *name, int fd, const void *from, size_t count, off64_t at) {
  if (fault(fd) == 'f') {
    errno = ENOSPC;
    return -1;
  }
  return ((writer)dlsym(RTLD_NEXT, name))(fd, from, count, at);
}

ssize_t pwrite64(int fd, const void *from, size_t count, off64_t at) { return write_at("pwrite64", fd, from, count, at); }

ssize_t pwrite(int fd, const void *from, size_t count, off_t at) { return write_at("pwrite", fd, from, count, at); }
`;
