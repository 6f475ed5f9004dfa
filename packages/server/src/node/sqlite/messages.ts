/** What the embedded store says about its files. */

export const storeClosed = (): string => "the store is closed";

export const inUse = (folder: string, owner: string): string =>
  `data directory \`${folder}\` is in use by ${owner === "" ? "another process" : `process ${owner}`}`;

export const notOurs = (file: string): string => `\`${file}\` is not a Portcullis store`;

export const tooNew = (file: string, found: number, known: number): string =>
  `\`${file}\` has format ${found}, this version reads up to ${known}: use the newer version that wrote it`;

export const damagedFile = (file: string, finding: string): string =>
  `\`${file}\` is damaged (${finding}): restore a backup`;

export const damagedBase = (file: string, revision: number): string =>
  `\`${file}\` is damaged: revision ${revision} does not match its checksum: restore a backup`;

export const damagedTail = (file: string, revision: number, lost: number): string =>
  `\`${file}\` is damaged from revision ${revision} on: restore a backup, or open it with repair, ` +
  `which sets the file aside and drops the last ${lost} ${lost === 1 ? "revision" : "revisions"}`;

export const lostEnd = (file: string, revision: number, acknowledged: number): string =>
  `\`${file}\` is damaged: it ends at revision ${revision}, but revision ${acknowledged} was acknowledged: ` +
  "restore a backup, or open it with repair, which continues without what is lost";

export const continuesBehind = (file: string, revision: number, acknowledged: number): string =>
  `\`${file}\` has lost revisions ${revision + 1} to ${acknowledged}; clients have to list again`;

export const repaired = (file: string, revision: number, copy: string): string =>
  `\`${file}\` was damaged from revision ${revision} on and has been cut there; the file as it was is \`${copy}\``;

export const diskFull = (): string => "the disk is full: the write was not stored; reads continue";

export const writeFailed = (reason: string): string => `the write was not stored: ${reason}`;

export const outOfStep = (): string =>
  "the file does not hold what this process has written to it: writes stop until the store is opened anew";

export const keyWithZero = (): string => "a key must not contain the character U+0000";

export const noStore = (folder: string): string => `there is no store in \`${folder}\``;

export const targetExists = (file: string): string => `\`${file}\` exists already`;

export const damagedWal = (file: string, finding: string): string =>
  `\`${file}\` is damaged (${finding}): restore a backup, or open it with repair, which drops what follows`;

export const walCut = (file: string, finding: string, copy: string): string =>
  `\`${file}\` was damaged (${finding}) and has lost what followed; the log as it was is \`${copy}\``;

export const writesAgain = (): string => "writes are stored again";

export const readableByOthers = (file: string, mode: string): string =>
  `\`${file}\` has mode ${mode}: others can read the secrets in it; 600 is enough`;

export const unreadableEntry = (file: string, key: string): string =>
  `\`${file}\`: the value of \`${key}\` is not JSON`;
