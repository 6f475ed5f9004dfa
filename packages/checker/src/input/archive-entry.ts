/** A regular file of an archive; its content is unpacked when it is needed. */
export interface ArchiveEntry {
  readonly name: string;
  bytes(): Uint8Array;
}
