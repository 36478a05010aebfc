// What a host draws: rows of text, which are made anew when the width changes.
//
// These are the parts of pi's and omp's own types that the rows use, so that no host package is needed
// to compile or to run them.

/** Something that a host puts on the screen. No line may be wider than `width` columns. */
export interface Component {
  render(width: number): string[];
  /** Forgets what was rendered. */
  invalidate(): void;
}

/** The colours of a host. */
export interface Theme {
  fg(color: string, text: string): string;
  bold(text: string): string;
  /** Swaps the colours of the text and its background. */
  inverse(text: string): string;
  /** The characters that omp draws its frames with; themes of pi have none. */
  box?: Box;
}

/** The characters of a frame. */
export interface Box {
  topLeft: string;
  topRight: string;
  bottomLeft: string;
  bottomRight: string;
  horizontal: string;
  vertical: string;
}

/** How a tool is drawn: its call, while the arguments stream in and after, and its result. */
export interface Rows {
  /** pi gives `(args, theme, context)`, omp `(args, options, theme)`. */
  renderCall(args: unknown, a?: unknown, b?: unknown): Component;
  /** pi gives a context as the last argument, omp the arguments of the call. */
  renderResult(result: unknown, options?: unknown, theme?: unknown, last?: unknown): Component;
}

/**
 * A component that is drawn once for each width. Hosts do not catch what a component throws, so one that cannot be
 * drawn shows nothing instead.
 */
export function drawnOnce(draw: (width: number) => string[]): Component {
  let drawn: { width: number; rows: string[] } | undefined;
  return {
    render(width) {
      if (drawn?.width !== width) drawn = { width, rows: attempt(() => draw(width)) };
      return drawn.rows;
    },
    invalidate() {
      drawn = undefined;
    },
  };
}

function attempt(draw: () => string[]): string[] {
  try {
    return draw();
  } catch {
    return [];
  }
}
