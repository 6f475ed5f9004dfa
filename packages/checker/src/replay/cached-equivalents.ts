import type { EquivalentResources } from "@portcullis/engine/internal/policy/attributes";

/** The same questions are asked for every event. */
export function cachedEquivalents(source: EquivalentResources): EquivalentResources {
  const found = new Map<string, ReturnType<EquivalentResources["equivalents"]>>();
  return {
    equivalents(resource, subresource) {
      const key = `${resource.group}/${resource.version}/${resource.resource}/${subresource}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const made = source.equivalents(resource, subresource);
      found.set(key, made);
      return made;
    },
    kindFor: (resource, subresource) => source.kindFor(resource, subresource),
    convert: (object, kind) => source.convert(object, kind),
  };
}
