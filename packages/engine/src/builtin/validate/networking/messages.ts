/** Messages about services, endpoints, ingresses and network policies. */
import { quote } from "@portcullis/gostd/quote";

import { reworded } from "../../../value/server-version.ts";
export const notFor = (type: string): string => `may not be set for ${type} services`;
export const noneNotFor = (type: string): string => `may not be set to 'None' for ${type} services`;
export const onlyForType = (type: string): string => `may only be used when \`type\` is '${type}'`;
export const notForClusterIp = (): string => "may not be used when `type` is 'ClusterIP'";
export const onlyExternal = (): string => "may only be set for externally-accessible services";
export const onlyHealthCheck = (): string =>
  "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
export const affinityNeeded = (): string => "when session affinity type is ClientIP";
export const affinityRange = (): string => "must be greater than 0 and less than 86400";
export const noAffinityConfig = (): string => "must not be set when session affinity is None";
export const sameTopology = (annotation: string): string =>
  `must match annotations[${annotation}] when both are specified`;

export const clusterIpsWithoutIp = (): string => "must be empty when `clusterIP` is not specified";
export const firstClusterIp = (): string => "first value must match `clusterIP`";
export const noneAlone = (): string => "'None' must be the first and only value";
export const twoClusterIps = (): string => "may only hold up to 2 values";
export const oneIpPerFamily = (): string => "may specify no more than one IP for each IP family";
export const otherFamily = (family: string, index: number): string =>
  `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
export const notConfigured = (): string => "not configured on this cluster";
export const familyNotConfigured = (family: string): string => `${family} is not configured on this cluster`;
export const singleStackFor = (what: string): string => `must be 'SingleStack' to release the secondary ${what}`;
export const noAddressLeft = (name: string): string =>
  `failed to allocate a serviceIP for Service ${quote(name)}: range is full`;
export const noPortLeft = (): string => "failed to allocate a nodePort: range is full";
export const noDualStack = (): string => "this cluster is not configured for dual-stack services";
export const notChanged = (): string => "may not change once set";
export const primaryUnset = (what: string): string => `primary ${what} can not be unset`;
export const singleStack = (what: string): string =>
  `must be set to 'SingleStack' when releasing the secondary ${what}`;
export const onlyLoadBalancerStatus = (): string => "may only be used when `spec.type` is 'LoadBalancer'";
export const ipModeNeeded = (): string => "must be specified when `ip` is set";
export const ipModeAlone = (): string => "may not be specified when `ip` is not set";

export const needAddresses = (): string => "must specify `addresses` or `notReadyAddresses`";
export const needOneAddress = (): string => "must contain at least 1 address";
export const mustBeIpv4 = (): string => "must be an IPv4 address";
export const mustBeIpv6 = (): string => "must be an IPv6 address";
export const domainSegments = (): string => "should be a domain with at least two segments separated by dots";

export const backendOrRules = (): string => "either `defaultBackend` or `rules` must be specified";
export const notAnIp = (): string => "must be a DNS name, not an IP address";
export const pathTypeNeeded = (): string => "pathType must be specified";
export const noSequence = (text: string): string => `must not contain '${text}'`;
export const noSuffix = (text: string): string => `cannot end with '${text}'`;
export const oneBackend = (): string => "cannot set both resource and service backends";
export const backendNeeded = (): string => "resource or service backend is required";
export const onePort = (): string => "cannot set both port name & port number";
export const portNeeded = (): string => "port name or number is required";
export const sameClass = (): string => "must match `ingressClassName` when both are specified";
export const domainPath = (): string => 'must be a domain-prefixed path (such as "acme.io/foo")';
export const badUrlPath = (): string =>
  "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
export const scopeNamespace = (): string => "`parameters.scope` is set to 'Namespace'";
export const scopeCluster = (): string => "`parameters.scope` is set to 'Cluster'";

export const endBeforePort = (): string => "must be greater than or equal to `port`";
export const endForName = (): string => "may not be specified when `port` is non-numeric";
export const endAlone = (): string => "may not be specified when `port` is not specified";
export const peerNeeded = (): string => "must specify a peer";
export const blockAlone = (): string => "may not specify both ipBlock and another peer";
export const strictSubset = (): string => "must be a strict subset of `cidr`";
export const twoPolicyTypes = (): string => "may not specify more than two policyTypes";

export const needCidr = (): string => "at least one CIDR required";
export const twoCidrs = (): string => "may only hold up to 2 values";
export const oneCidrAFamily = (): string =>
  "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
export const manyStacks = (what: string): string =>
  `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
export const nodePortRange = (least: number, last: number): string =>
  `provided port is not in the valid range. The range of valid ports is ${least}-${last}`;
export const kubeletPort = (port: number): string =>
  `may not expose port ${port} externally since it is used by kubelet`;
export const validAddress = (family: string): string => `must be a valid ${family} address`;
export const memberNeeded = (key: string): string => reworded("1.34", "", `${key} is required`);
