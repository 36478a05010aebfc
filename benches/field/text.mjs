// Turns files into lists of lines, as a model sees them.

/** The lines of a text, without its byte order mark and line endings. */
export function linesOf(text) {
  const bare = text.replace(/^\ufeff/, "").replace(/\r?\n$/, "");
  return bare === "" ? [] : bare.split(/\r?\n/);
}
