// Compares how long functions take, in one run.
//
// The machines are shared and noisy, so only ratios count: the functions take turns, and their medians are
// compared. The turns are repeated until the ratio is precise enough or the time is up, and the result says
// which. The least times show what the code can do when nothing else runs.

/** A ratio is precise enough when its uncertainty is at most this share. */
const WITHIN = 0.03;

/**
 * Runs the functions in turn and compares each with the first. One that returns a promise is awaited.
 *
 * @param {(() => unknown)[]} works
 * @param {{ seconds?: number, most?: number, least?: number, repeat?: number }} options
 *   `seconds`: how long a row is repeated at most, unless it has fewer than `least` rounds by then
 */
export async function compare(works, { seconds = 6, most = 2000, least = 9, repeat } = {}) {
  for (const work of works) await once(work, 1);
  const inner = repeat ?? Math.max(1, Math.round(0.5 / Math.max(await once(works[0], 1), 1e-4)));
  const times = works.map(() => []);
  const others = works.map((_, which) => which).slice(1);
  const until = performance.now() + seconds * 1000;
  let spread = Number.POSITIVE_INFINITY;
  for (let round = 1; round <= most; round++) {
    // The function right after the first profits from the caches that the first filled, so the others take
    // turns in that position.
    const order = round % 2 === 0 ? others : others.toReversed();
    for (const which of [0, ...order]) times[which].push(await once(works[which], inner));
    if (round < least || round % 4 !== 0) continue;
    spread = Math.max(0, ...times.slice(1).map((own) => uncertainty(times[0], own)));
    if (spread <= WITHIN || performance.now() > until) break;
  }
  return { rounds: times[0].length, spread, settled: spread <= WITHIN, results: times.map(summary) };
}

/** Milliseconds for one call, averaged over `repeat` calls. */
async function once(work, repeat) {
  const start = performance.now();
  for (let i = 0; i < repeat; i++) {
    const made = work();
    if (made instanceof Promise) await made;
  }
  return (performance.now() - start) / repeat;
}

/** The uncertainty of the median ratio: half of its 95 % confidence interval, as a share of the ratio. */
export function uncertainty(base, own) {
  const ratios = base.map((time, round) => time / own[round]).sort((a, b) => a - b);
  const middle = ratios.length / 2;
  const reach = 0.98 * Math.sqrt(ratios.length);
  const low = ratios[Math.max(0, Math.floor(middle - reach))];
  const high = ratios[Math.min(ratios.length - 1, Math.ceil(middle + reach))];
  return (high - low) / 2 / ratios[Math.floor(middle)];
}

function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), least: sorted[0], low: at(0.25), high: at(0.75) };
}
