// Syntax colours for hosts that do not offer their highlighter: comments, strings, numbers, keywords and the names of
// functions, in the theme's own colours for them. It knows no grammar, so all other text stays plain.

import type { Color, Span } from "./line.ts";

/** How a group of languages writes comments and strings. */
interface Family {
  files: RegExp;
  /** What a comment to the end of the line begins with. */
  comment: RegExp;
  /** Tokens that may span lines, such as block comments: how they open and close. */
  multiline: readonly { open: string; close: string; color: Color }[];
  quotes: string;
}

const BLOCK_COMMENT = { open: "/*", close: "*/", color: "syntaxComment" } as const;
const TEMPLATE = { open: "`", close: "`", color: "syntaxString" } as const;
const TRIPLE_QUOTED = ['"""', "'''"].map(
  (sign) => ({ open: sign, close: sign, color: "syntaxString" }) as const,
);

const FAMILIES: readonly Family[] = [
  {
    files:
      /\.(?:[cm]?[jt]sx?|java|c|h|cc|cpp|hpp|cs|go|swift|kts?|scala|php|dart|zig|json5?|jsonc|css|scss|less)$/i,
    comment: /^\/\//,
    multiline: [BLOCK_COMMENT, TEMPLATE],
    quotes: "\"'",
  },
  // In Rust a single quote may also mark a lifetime.
  { files: /\.rs$/i, comment: /^\/\//, multiline: [BLOCK_COMMENT], quotes: '"' },
  {
    files:
      /(?:\.(?:py|rb|sh|bash|zsh|fish|pl|r|ya?ml|toml|ini|cfg|conf|mk|cmake|nix|tf|ex|exs|jl)|(?:^|[\\/])(?:Makefile|Dockerfile|Gemfile|Rakefile))$/i,
    comment: /^#/,
    multiline: TRIPLE_QUOTED,
    quotes: "\"'",
  },
  { files: /\.(?:sql|lua|hs|elm|ada)$/i, comment: /^--/, multiline: [BLOCK_COMMENT], quotes: "\"'" },
];

const KEYWORDS = new Set(
  `abstract and as assert async await begin bool boolean break case catch char class const continue crate def default defer del
   delete do double elif else elsif end enum except export extends extern false final finally float fn for foreach from func
   function global go goto if impl implements import in include instanceof int interface is lambda let local long loop match mod
   module mut namespace new nil none None not null number object of or override package pass private protected pub public raise
   readonly ref require rescue return self Self short sizeof static str string struct super switch template then this throw throws
   trait true True False try type typedef typeof undefined union unless unsafe unsigned until use using var virtual void volatile
   when where while with yield`.split(/\s+/),
);

/** The spans of lines that follow each other in a file; nothing if its language is not known. */
export function lex(path: string, lines: readonly string[]): Span[][] | undefined {
  const family = FAMILIES.find(({ files }) => files.test(path));
  if (family === undefined) return undefined;
  let open: Family["multiline"][number] | undefined;
  return lines.map((line) => {
    const spans: Span[] = [];
    for (let at = 0; at < line.length; ) {
      const [end, color, begun] = open === undefined ? token(line, at, family) : restOfToken(line, at, open);
      const last = spans.at(-1);
      if (last?.color === color) last.text += line.slice(at, end);
      else spans.push({ text: line.slice(at, end), color });
      open = begun;
      at = end;
    }
    return spans;
  });
}

type Token = [end: number, color: Color, open?: Family["multiline"][number]];

/** The token that begins at index `at` of a line. */
function token(line: string, at: number, { comment, multiline, quotes }: Family): Token {
  const tail = line.slice(at);
  if (comment.test(tail)) return [line.length, "syntaxComment"];
  const begun = multiline.find(({ open }) => tail.startsWith(open));
  if (begun) return restOfToken(line, at + begun.open.length, begun);
  if (quotes.includes(tail[0] ?? "")) return [at + quotedLength(tail), "syntaxString"];
  const [word] = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(tail) ?? [];
  if (word !== undefined) return [at + word.length, wordColor(word, tail.slice(word.length))];
  const [number] = /^\d[\w.]*/.exec(tail) ?? [];
  if (number !== undefined) return [at + number.length, "syntaxNumber"];
  return [at + (/^[^\p{L}\p{N}_$"'`/#*-]+/u.exec(tail)?.[0].length ?? 1), "toolOutput"];
}

/**
 * The rest of a token that has begun, as far as this line goes, and the token itself if it continues on the next
 * line.
 */
function restOfToken(line: string, from: number, open: Family["multiline"][number]): Token {
  const end = line.indexOf(open.close, from);
  return end === -1 ? [line.length, open.color, open] : [end + open.close.length, open.color];
}

/** The length of the string that a text begins with; a string that is not closed ends with the line. */
function quotedLength(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === text[0]) return at + 1;
  }
  return text.length;
}

function wordColor(word: string, after: string): Color {
  if (KEYWORDS.has(word)) return "syntaxKeyword";
  return after.startsWith("(") ? "syntaxFunction" : "toolOutput";
}
