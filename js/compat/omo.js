// `pi-hash/omo`: oh-my-opencode's engine, its formatter for streams, and its tool.

export * from "./omo-engine.js";
export * from "./omo-stream.js";
export * from "./omo-tool.js";
