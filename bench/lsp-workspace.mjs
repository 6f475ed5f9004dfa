/** The files of the benchmark of language servers: CRDs of a given size, and objects of the first of them. */

export function crdText(index, lines) {
  const head = [
    "apiVersion: apiextensions.k8s.io/v1",
    "kind: CustomResourceDefinition",
    "metadata:",
    `  name: kind${index}s.bench.example.com`,
    "spec:",
    "  group: bench.example.com",
    "  scope: Namespaced",
    "  names:",
    `    plural: kind${index}s`,
    `    kind: Kind${index}`,
    "  versions:",
    "    - name: v1",
    "      served: true",
    "      storage: true",
    "      schema:",
    "        openAPIV3Schema:",
    "          type: object",
    "          properties:",
    "            spec:",
    "              type: object",
    "              properties:",
  ];
  const fields = [];
  for (let field = 0; head.length + fields.length < lines; field++) fields.push(...fieldLines(field));
  return `${[...head, ...fields].join("\n")}\n`;
}

function fieldLines(field) {
  const lines = [
    `                field${field}:`,
    "                  type: object",
    `                  description: Field number ${field} of the kind, with a sentence that describes it.`,
    "                  properties:",
    "                    size:",
    "                      type: integer",
    "                      minimum: 0",
    "                      maximum: 1000",
    "                    name:",
    "                      type: string",
    "                      maxLength: 63",
    "                      pattern: ^[a-z]+$",
  ];
  if (field % 5 !== 0) return lines;
  const rule = "                    - rule: '!has(self.name) || self.name.startsWith(\"a\") || self.size > 1'";
  return [...lines, "                  x-kubernetes-validations:", rule, "                      message: wrong"];
}

export function schemaOf(index, lines) {
  const properties = {};
  const count = crdText(index, lines).match(/field\d+:/g).length;
  for (let field = 0; field < count; field++) {
    properties[`field${field}`] = {
      type: "object",
      description: `Field number ${field} of the kind, with a sentence that describes it.`,
      properties: {
        size: { type: "integer", minimum: 0, maximum: 1000 },
        name: { type: "string", maxLength: 63, pattern: "^[a-z]+$" },
      },
      additionalProperties: false,
    };
  }
  const spec = { type: "object", properties, additionalProperties: false };
  const text = { type: "string" };
  return { type: "object", properties: { apiVersion: text, kind: text, metadata: { type: "object" }, spec } };
}

export function manifestsText(index, lines) {
  const documents = [];
  for (let number = 0, written = 0; written < lines; number++) {
    const fields = Array.from({ length: 12 }, (_, field) => [
      `  field${field}:`,
      `    size: ${number % 100}`,
      "    name: abc",
    ]).flat();
    const document = [
      "apiVersion: bench.example.com/v1",
      `kind: Kind${index}`,
      "metadata:",
      `  name: object-${number}`,
      "spec:",
      ...fields,
      "---",
    ];
    documents.push(...document);
    written += document.length;
  }
  return `${documents.slice(0, -1).join("\n")}\n`;
}
