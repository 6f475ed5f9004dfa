/** The supported versions: the tag that is read, and the version of the published Go modules. Oldest first. */
export const VERSIONS = [
  { minor: 30, tag: "v1.30.14", modules: "v0.30.14" },
  { minor: 31, tag: "v1.31.14", modules: "v0.31.10" },
  { minor: 32, tag: "v1.32.13", modules: "v0.32.13" },
  { minor: 33, tag: "v1.33.13", modules: "v0.33.13" },
  { minor: 34, tag: "v1.34.11", modules: "v0.34.11" },
  { minor: 35, tag: "v1.35.8", modules: "v0.35.8" },
  { minor: 36, tag: "v1.36.4", modules: "v0.36.4" },
  { minor: 37, tag: "v1.37.0-rc.1", modules: "v0.37.2" },
];
