/** Completions in a text. Loaded with the first request. */
import { celScope } from "@portcullis/checker/internal/complete/cel-scope";
import { jsonPlaceAt } from "@portcullis/checker/internal/complete/json-place";
import { definedKindsOf, KindViews } from "@portcullis/checker/internal/complete/kind-views";
import { completeManifest, headerOf } from "@portcullis/checker/internal/complete/manifest";
import { schemaView } from "@portcullis/checker/internal/complete/view";
import { placeAt } from "@portcullis/checker/internal/complete/yaml-place";
import { readFile } from "@portcullis/checker/internal/input/text";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import type { EmbeddedCompletions } from "./finding.ts";
import type { Session } from "./session.ts";

export function completionsIn(session: Session, text: string, offset: number): EmbeddedCompletions | undefined {
  const place = /^\s*[{[]/.test(text) ? jsonPlaceAt(text, offset) : placeAt(text, offset);
  if (place === undefined) return undefined;
  const kinds = new KindViews(definedKindsOf(() => session.crds.map(({ object }) => object)));
  const object = readFile("", place.document).documents[0]?.object;
  const found = completeManifest(place, offset, {
    kinds,
    version: session.engine.version,
    view: kinds.find(headerOf(place.document)) ?? schemaView(parseSchema(null), true),
    variables: celScope({ path: place.path, object }, kinds),
  });
  return (
    found && {
      from: found.from,
      options: found.options.map(({ label, kind, detail, about, apply = label }) => ({
        label,
        kind,
        detail,
        about,
        apply,
      })),
    }
  );
}
