import { expect, test } from "vitest";
import { caBundleProblem } from "./ca-bundle.ts";
import { createErrors, definitionWith } from "./definition.testing.ts";

const AT = "spec.conversion.webhookClientConfig";
const ready = { conversionReviewVersions: ["v1"] };
const webhook = (clientConfig: object): object => ({ strategy: "Webhook", webhook: { ...ready, clientConfig } });

test.each([
  {
    name: "a strategy is one of two",
    conversion: { strategy: "Magic" },
    errors: ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
  },
  {
    name: "a webhook belongs to its strategy",
    conversion: { strategy: "None", webhook: { ...ready, clientConfig: { url: "https://a" } } },
    errors: [
      `${AT}: Forbidden: should not be set when strategy is not set to Webhook`,
      "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook",
    ],
  },
  {
    name: "a webhook is reached in one way",
    conversion: webhook({}),
    errors: [`${AT}: Required value: exactly one of url or service is required`],
  },
  {
    name: "each part of a bad URL is reported with that part",
    conversion: webhook({ url: "http://u:p@a/b?c#d" }),
    errors: [
      `${AT}.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      `${AT}.url: Invalid value: "u:p": user information is not permitted in the URL`,
      `${AT}.url: Invalid value: "d": fragments are not permitted in the URL`,
      `${AT}.url: Invalid value: "c": query parameters are not permitted in the URL`,
    ],
  },
  {
    name: "an empty service name is reported at the namespace",
    conversion: webhook({ service: { name: "", namespace: "ns" } }),
    errors: [`${AT}.service.namespace: Required value`],
  },
  {
    name: "ports and paths of a service are checked",
    conversion: webhook({ service: { name: "n", namespace: "ns", port: 0, path: "/a//b" } }),
    errors: [
      `${AT}.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`,
      `${AT}.service.path: Invalid value: "/a//b": segment[1] may not be empty`,
    ],
  },
  {
    name: "a review version must be one the server speaks",
    conversion: {
      strategy: "Webhook",
      webhook: { clientConfig: { url: "https://a" }, conversionReviewVersions: ["v2", "v2"] },
    },
    errors: [
      'spec.conversion.conversionReviewVersions[1]: Invalid value: "v2": duplicate version',
      'spec.conversion.conversionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
    ],
  },
])("$name", ({ conversion, errors }) => {
  expect(createErrors(definitionWith({ conversion }))).toEqual(errors);
});

const PEM = (body: string): string => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;

test.each([
  {
    name: "what is not PEM is refused",
    text: "abc",
    problem: "unable to load root certificates: unable to parse bytes as PEM block",
  },
  {
    name: "a block that is no certificate is refused",
    text: PEM("YWJj"),
    problem: "unable to load root certificates: failed to parse certificate: x509: malformed certificate",
  },
  {
    name: "a block of another kind does not count",
    text: PEM("YWJj").replaceAll("CERTIFICATE", "KEY"),
    problem: "unable to load root certificates: no valid certificate authority data seen",
  },
  { name: "a sequence of content, algorithm and signature passes", text: PEM("MAgwADAAAwIAAQ=="), problem: undefined },
])("$name", ({ text, problem }) => {
  expect(caBundleProblem(Buffer.from(text).toString("base64"))).toBe(problem);
});
