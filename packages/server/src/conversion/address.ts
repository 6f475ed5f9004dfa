/** The address of a webhook, as the API server writes it. */
import type { WebhookClientConfig } from "@portcullis/engine/internal/webhooks/webhook";
import { format, parse, type Url } from "@portcullis/gostd/url";

/** The address with its path cleaned, and with the time that the webhook is given. */
export function webhookAddress({ url, service }: Omit<WebhookClientConfig, "caBundle">, timeout: string): string {
  const rawQuery = `timeout=${timeout}`;
  if (service !== undefined) {
    const host = `${service.name}.${service.namespace}.svc:${service.port}`;
    return format({ ...NO_URL, host, path: cleanPath(service.path), rawQuery });
  }
  const parsed = parse(url ?? "").url;
  return format({ ...NO_URL, host: parsed?.host ?? "", path: cleanPath(parsed?.path ?? ""), rawQuery });
}

const NO_URL: Url = {
  scheme: "https",
  opaque: "",
  user: undefined,
  host: "",
  path: "",
  rawPath: "",
  omitHost: false,
  forceQuery: false,
  rawQuery: "",
  fragment: "",
  rawFragment: "",
};

/** As Go's path.Join leaves it. */
function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
