/** The requests of `policy eval`: one per object, or one from a file or from options. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { Place } from "@portcullis/checker/internal/policy/findings";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import type { RequestParts } from "@portcullis/checker/internal/policy/request";
import { readRequestFile } from "@portcullis/checker/internal/policy/request-file";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import type { CommandIo } from "../../frame/command.ts";
import type { Options } from "../../frame/options.ts";
import { readUser } from "./request-options.ts";

export interface Asked {
  readonly parts: RequestParts;
  readonly place: Place | undefined;
}

export function readRequests(options: Options, io: CommandIo): Asked[] {
  const flags = requestFlags(options);
  const file = options.text("request");
  if (file !== undefined) {
    if (options.texts("object").length > 0) throw new UsageError("use either --request or --object");
    return [{ parts: { ...readRequestFile(file, io.stdin), ...flags }, place: file }];
  }
  const objects = loadDocuments(options.texts("object"), io.stdin);
  const old = new Map(loadDocuments(options.texts("old"), io.stdin).map((document) => [pairKey(document), document]));
  if (objects.length > 0) {
    return objects.map((document) => {
      const parts = { object: document.object, oldObject: old.get(pairKey(document))?.object, ...flags };
      return { parts, place: document };
    });
  }
  if (old.size > 0) return [...old.values()].map((place) => ({ parts: { oldObject: place.object, ...flags }, place }));
  if (flags.resource === undefined) throw new UsageError("nothing to evaluate; use --object, --request or --resource");
  return [{ parts: flags, place: undefined }];
}

/** Only the given options, so that they can extend a request file. */
function requestFlags(options: Options): RequestParts {
  const texts = Object.fromEntries(
    (["operation", "resource", "subresource", "name", "namespace"] as const).flatMap((name) => {
      const text = options.text(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
  const user = readUser(options);
  return {
    ...texts,
    ...(user === undefined ? {} : { user }),
    ...(options.flag("dry-run") ? { dryRun: true } : {}),
    ...(options.flag("raw") ? { isRaw: true } : {}),
  };
}

/** Objects are paired by kind, namespace and name. */
function pairKey({ id }: ManifestDocument): string {
  const group = id.apiVersion.includes("/") ? id.apiVersion.slice(0, id.apiVersion.indexOf("/")) : "";
  return [group, id.kind, id.namespace, id.name].join("\0");
}
