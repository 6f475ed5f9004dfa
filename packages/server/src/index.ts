export { MemoryStore } from "./storage/memory.ts";
export * from "./storage/store.ts";
