/** The lists and maps that an object of a kind could have, by the OpenAPI schema of the kind. */

/** The object with an empty list or map wherever its structs have none. */
export function withEmpties(object, { schema, components }) {
  const copy = structuredClone(object);
  visit(copy, schema, components, [], ({ parent, key, empty }) => {
    if (parent[key] === undefined && !isManaged(key)) parent[key] = empty;
  });
  return copy;
}

/** Each place for a list or map: how the object with an empty one there is made. */
export function emptyPlaces(object, { schema, components }) {
  const found = [];
  visit(structuredClone(object), schema, components, [], ({ parent, key, empty, path }) => {
    if (isManaged(key)) return;
    const make = (base) => {
      const copy = structuredClone(base);
      const target = path.reduce((inner, part) => inner[part], copy);
      target[key] = empty;
      return copy;
    };
    found.push({ at: [...path, key].join("."), make, isPresent: parent[key] !== undefined });
  });
  return found;
}

/** An empty list there asks for a reset. */
function isManaged(key) {
  return key === "managedFields";
}

function visit(value, schema, components, path, onPlace) {
  const { properties, items, additionalProperties } = resolve(schema, components);
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) visit(item, items ?? {}, components, [...path, index], onPlace);
  if (value === null || typeof value !== "object" || Array.isArray(value)) return;
  if (properties === undefined) {
    for (const key of Object.keys(value))
      visit(value[key], additionalProperties ?? {}, components, [...path, key], onPlace);
    return;
  }
  for (const [key, each] of Object.entries(properties)) {
    const field = resolve(each, components);
    const empty = emptyOf(field);
    if (empty !== undefined) onPlace({ parent: value, key, empty, path });
    if (value[key] !== undefined) visit(value[key], field, components, [...path, key], onPlace);
  }
}

function emptyOf({ type, properties, additionalProperties }) {
  if (type === "array") return [];
  return type === "object" && properties === undefined && additionalProperties !== undefined ? {} : undefined;
}

function resolve(schema, components) {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return reference === undefined ? schema : components[reference.slice(reference.lastIndexOf("/") + 1)];
}
