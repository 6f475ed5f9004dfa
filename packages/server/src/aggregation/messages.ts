/** Messages of kube-aggregator. */
import { quote } from "@portcullis/gostd/quote";
import type { ServiceReference } from "../conversion/services.ts";

export const unavailable = (): string => "service unavailable";

export const redirect = (): string => "the backend attempted to redirect this request, which is not permitted";

export const serviceMissing = ({ name, namespace }: ServiceReference): string =>
  `service/${name} in ${quote(namespace)} is not present`;

export const portMissing = ({ name, namespace, port }: ServiceReference): string =>
  `service/${name} in ${quote(namespace)} is not listening on port ${port}`;

export const slicesMissing = ({ name, namespace }: ServiceReference): string =>
  `cannot find endpointslices for service/${name} in ${quote(namespace)}`;

export const addressesMissing = ({ name, namespace }: ServiceReference, portName: string): string =>
  `endpointslices for service/${name} in ${quote(namespace)} have no addresses with port name ${quote(portName)}`;

export const discoveryFailed = (url: string, problem: string): string =>
  `failing or missing response from ${url}: ${problem}`;

export const getFailed = (url: string, problem: string): string => `Get ${quote(url)}: ${problem}`;

export const badStatus = (url: string, status: number): string => `bad status from ${url}: ${status}`;

export const passed = (): string => "all checks passed";
