/**
 * The JSON schemas of catalogues outside of the workspace. A catalogue may have thousands; a schema is read when a text
 * uses its kind.
 */
import { readFileSync } from "node:fs";
import { crdOfSchema, schemaNameOf } from "@portcullis/checker/internal/input/catalogue";
import { readFile } from "@portcullis/checker/internal/input/text";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export interface CataloguedCrd {
  /** The schema; the CRD is made of it. */
  readonly file: string;
  readonly document: ManifestDocument;
}

export class CatalogueSchemas {
  /** By `apiVersion kind`; the path of a schema has the kind in lower case. */
  readonly #files = new Map<string, string>();
  readonly #read = new Map<string, CataloguedCrd | undefined>();

  /** Whether the path is that of a schema in a catalogue. */
  add(file: string): boolean {
    const name = schemaNameOf(file);
    if (name === undefined) return false;
    this.#files.set(`${name.group}/${name.version} ${name.kind}`, file);
    return true;
  }

  /** The CRD of a kind, by `apiVersion kind`. Undefined too if its schema cannot be used. */
  find(kind: string): CataloguedCrd | undefined {
    if (this.#files.size === 0) return undefined;
    if (!this.#read.has(kind)) this.#read.set(kind, this.#make(kind));
    return this.#read.get(kind);
  }

  #make(key: string): CataloguedCrd | undefined {
    const [apiVersion = "", kind = ""] = key.split(" ");
    const file = this.#files.get(`${apiVersion} ${kind.toLowerCase()}`);
    // Kinds start with an upper-case letter: another spelling is a mistake, not a name.
    if (file === undefined || !/^[A-Z]/.test(kind)) return undefined;
    const crd = readCrd(file, apiVersion, kind);
    const [document] = crd === undefined ? [] : readFile(file, crd).documents;
    return document && { file, document };
  }
}

function readCrd(file: string, apiVersion: string, kind: string): string | undefined {
  try {
    const decoded = decodeJson(readFileSync(file, "utf8"));
    if (decoded.error !== undefined || !isObject(decoded.value)) return undefined;
    return canonicalJson(crdOfSchema(decoded.value, apiVersion, kind));
  } catch {
    // Gone, or nested too deeply: the kind has no schema then, which is reported where it is used.
    return undefined;
  }
}
