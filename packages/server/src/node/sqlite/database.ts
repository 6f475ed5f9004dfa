/**
 * The few calls of libsql that the store uses, with types.
 *
 * Statements run on the calling thread, `exec` on one of libsql's own. That split is what the store is built on: rows are
 * inserted here, which costs microseconds, and COMMIT, which waits for the disk, goes through `exec` and blocks nobody.
 */
import Libsql from "libsql/promise";

export type Column = string | number | Uint8Array | null;

export interface Statement {
  run(...parameters: readonly Column[]): unknown;
  raw(): Statement;
  iterate(...parameters: readonly Column[]): Promise<Iterable<Column[]>>;
}

export interface Database {
  readonly inTransaction: boolean;
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<Statement>;
  close(): void;
}

/** `patience`: how many milliseconds to wait for another connection's lock. */
export function openDatabase(file: string, { patience = 0 }: { patience?: number } = {}): Database {
  return new Libsql(file, { timeout: patience }) as Libsql & Database;
}

/** The first column of the first row; undefined without one. */
export async function queryOne(database: Database, sql: string): Promise<Column | undefined> {
  for (const row of await queryRows(database, sql)) return row[0];
  return undefined;
}

export async function queryRows(database: Database, sql: string): Promise<Iterable<Column[]>> {
  return (await database.prepare(sql)).raw().iterate();
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** SQLite's name for what went wrong, such as "SQLITE_FULL"; "" for an error that is not SQLite's. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
