/** The option for the ranges of service addresses. Follows validateClusterIPFlags of cmd/kube-apiserver/app/options. */
import { ServiceRange } from "./service-range.ts";

const DEFAULT_RANGE = "10.0.0.0/24";
const [LEAST_SIZE, LEAST_IPV6_BITS] = [8n, 64n];

/** Throws an Error with kube-apiserver's text. */
export function readServiceRanges(text = ""): ServiceRange[] {
  const texts = (text || DEFAULT_RANGE).split(",");
  const ranges = texts.slice(0, 2).map((each, index) => readRange(each, index));
  if (texts.length > 2) throw new Error("--service-cluster-ip-range must not contain more than two entries");
  const [first, second] = ranges;
  if (first !== undefined && first.family === second?.family) {
    throw new Error("--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family");
  }
  return ranges;
}

function readRange(text: string, index: number): ServiceRange {
  const range = ServiceRange.parse(text);
  const flag = `service-cluster-ip-range[${index}]`;
  if (range === undefined) throw new Error(`${flag} is not ${index === 0 ? "a valid cidr" : "an ip net"}`);
  if (index === 0 && range.size < LEAST_SIZE) {
    throw new Error(
      `error determining service IP ranges for primary service cidr: the service cluster IP range must be at least ${LEAST_SIZE} IP addresses`,
    );
  }
  if (range.size > 1n << LEAST_IPV6_BITS) {
    throw new Error(
      `\`${text}\` has more than 64 bits for addresses of services; kube-apiserver allocates none from it`,
    );
  }
  return range;
}
