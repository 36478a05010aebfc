// A placeholder until the prompts land.
export const prompts = {
  read: "Read files. Every line comes as LINE:HASH|text; LINE:HASH is its anchor for apply_hash.",
  grep: "Search files. Every line comes as LINE:HASH|text; LINE:HASH is its anchor for apply_hash.",
  applyHash: "Change files by anchors, all or nothing.",
  rules: "Use read and grep instead of cat; use apply_hash to change files.",
  guidelines: ["Use read and grep instead of cat; use apply_hash to change files."],
  snippets: {
    read: "Read files with anchors",
    grep: "Search files with anchors",
    apply_hash: "Change files by anchors",
  },
};
