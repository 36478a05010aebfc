// Measures how many columns a text takes on a terminal.
//
// Terminals and hosts disagree about rare characters, and pi 0.73 exits if a line is wider than the screen by its own
// count. So this count is never below a host's: where counts differ, it is the largest, and a line is at worst cut a
// little early.

/** A text's grapheme clusters: what a reader takes for one character, and what must not be cut apart. */
export function clusters(text: string): string[] {
  return SINGLE_CLUSTERS.test(text)
    ? text.split("")
    : Array.from(segmenter().segment(text), (one) => one.segment);
}

/** The columns of a text without control characters. */
export function textWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let width = 0;
  for (const cluster of clusters(text)) width += clusterWidth(cluster);
  return width;
}

/** The columns of one cluster. */
export function clusterWidth(cluster: string): number {
  if (PRINTABLE_ASCII.test(cluster)) return cluster.length;
  const known = measuredWidths.get(cluster);
  if (known !== undefined) return known;
  const width = measure(cluster);
  if (measuredWidths.size >= MAX_MEASURED) measuredWidths.clear();
  measuredWidths.set(cluster, width);
  return width;
}

/** The widths of clusters measured so far, as the same clusters appear again and again. */
const measuredWidths = new Map<string, number>();
const MAX_MEASURED = 4096;

function measure(cluster: string): number {
  // Flags, families and keycaps are drawn as one picture. Terminals may draw any other sequence piece by
  // piece.
  if (emoji().test(cluster)) return 2;
  let width = BARE_MARK.test(cluster) ? 1 : 0;
  for (const char of cluster) width += charWidth(char);
  return PICTURE_SIGN.test(cluster) ? Math.max(width + 1, 2) : width;
}

/**
 * Calls `make` at the first use only: building these tables takes tens of milliseconds, which would slow down
 * the host's start.
 */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const segmenter = lazy(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Characters that are each a cluster: Latin, Greek, Cyrillic, punctuation, kana, ideographs, Hangul. */
const SINGLE_CLUSTERS =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u0587\u2010-\u2027\u2030-\u205e\u2100-\u2bff\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u3400-\u9fff\uac00-\ud7a3]*$/;

// Made at run time: Node 20 and Bun know the flag `v`, but the hosts' loaders may not.
const SETS: string = "v";
const emoji = lazy(() => new RegExp("^\\p{RGI_Emoji}$", SETS));

/**
 * A combining mark with no character before it: some terminals draw it on a blank, others count it with what
 * follows.
 */
const BARE_MARK = /^[\p{M}\p{Cf}]./su;

/** Characters that can turn the character before them into a picture: joiner, selector, keycap. */
const PICTURE_SIGN = /[\u200d\ufe0f\u20e3]/u;

/** Marks, joiners, selectors and tags, which take no column of their own. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\u200b-\u200d\u2060-\u2064\u{e0020}-\u{e007f}]$/u;

/** Marks for which some terminals use a column all the same. */
const SOMETIMES_WIDE = /^[\u065f\u0f7f\u1031-\u103e]$/u;

function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (isWide(code)) return 2;
  if (ZERO_WIDTH.test(char) && !SOMETIMES_WIDE.test(char)) return 0;
  return 1;
}

/**
 * First and last code points of the characters that are two columns wide. The ranges are whole blocks, so that characters
 * which a later Unicode adds are counted as wide, too.
 */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], // Hangul Jamo
  [0x231a, 0x23ff], // watch, hourglass, media buttons
  [0x25fd, 0x25fe], // medium small squares
  [0x2600, 0x27bf], // symbols and dingbats
  [0x2b1b, 0x2b1c], // large squares
  [0x2b50, 0x2b55], // star, circle
  [0x2e80, 0x303e], // CJK radicals and punctuation
  [0x3041, 0xa4cf], // kana, bopomofo, Hangul, ideographs, Yi
  [0xa960, 0xa97f], // Hangul Jamo Extended-A
  [0xac00, 0xd7ff], // Hangul
  [0xf900, 0xfaff], // CJK compatibility ideographs
  [0xfe10, 0xfe19], // vertical forms
  [0xfe30, 0xfe6f], // CJK compatibility forms
  [0xff01, 0xff60], // full-width forms
  [0xffe0, 0xffe6], // full-width signs
  [0x16fe0, 0x1b2ff], // Tangut, Khitan, kana extensions, Nushu
  [0x1d300, 0x1d37f], // Tai Xuan Jing, counting rods
  [0x1f000, 0x1fbff], // pictographs
  [0x20000, 0x3ffff], // ideographs
];

function isWide(code: number): boolean {
  if (code < 0x1100) return false;
  return WIDE.some(([first, last]) => code >= first && code <= last);
}
