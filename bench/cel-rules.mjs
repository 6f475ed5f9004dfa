/** Fifteen typical rules, from one comparison to a quadratic loop, and the object they validate. */
export const rules = [
  ["compare two fields", "self.replicas <= self.maxReplicas"],
  [
    "range and arithmetic",
    "self.replicas >= 0 && self.replicas + 1 <= self.maxReplicas * 2 && self.maxReplicas < 1000",
  ],
  ["has or startsWith", "!has(self.image) || self.image.startsWith('registry.example.com/')"],
  [
    "union by ternary",
    "has(self.strategy.rolling) ? self.strategy.type == 'Rolling' && self.strategy.rolling.maxSurge >= 1 : self.strategy.type == 'Recreate'",
  ],
  ["in a constant list", "self.type in ['A', 'B', 'C']"],
  [
    "path checks",
    "self.path.startsWith('/') && !self.path.contains('//') && !self.path.endsWith('/..') && self.path.contains('/api')",
  ],
  ["concatenate and convert", "self.name + '-' + string(self.replicas) == self.fullName"],
  ["DNS label by pattern", "self.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && self.name.size() <= 63"],
  ["lowerAscii, indexOf, split", "self.image.lowerAscii().indexOf('nginx') >= 0 && self.image.split('/').size() == 3"],
  ["all of 100, three terms", "self.items.all(i, i.port > 0 && i.port < 65536 && i.name != '')"],
  ["filter 100 and size", "self.items.filter(i, i.protocol == 'TCP').size() > 0"],
  ["map 100 and exists", "self.items.map(i, i.port).exists(p, p == 8099)"],
  ["all of 20 map keys", "self.labels.all(k, self.labels[k].size() < 64 && k != '')"],
  ["unique names, 100 x 100", "self.items.all(i, self.items.exists_one(j, j.name == i.name))"],
  ["pattern on each of 100", "self.items.all(i, i.name.matches('^[a-z]+-[0-9]+$'))"],
];

const numbered = (count, make) => Array.from({ length: count }, (_, index) => make(index));

export const data = {
  replicas: 3,
  maxReplicas: 10,
  type: "B",
  name: "web-frontend",
  fullName: "web-frontend-3",
  image: "registry.example.com/library/nginx:1.25.3",
  path: "/api/v1/namespaces",
  strategy: { type: "Rolling", rolling: { maxSurge: 2, maxUnavailable: 1 } },
  labels: Object.fromEntries(numbered(20, (index) => [`label-${index}`, `value-${index}`])),
  items: numbered(100, (index) => ({
    name: `port-${index}`,
    port: 8000 + index,
    protocol: index % 2 === 0 ? "TCP" : "UDP",
    enabled: index % 3 === 0,
    weight: index,
  })),
};
