// Comparing two functions in one run.
//
// The machines are shared and noisy, so only ratios count: the two take turns, and the ratio is that
// of the medians. The least times tell what the code can do when nothing else runs.

/** Runs `base` and `ours` in turn for about `seconds`, and compares their times. */
export function compare(base, ours, { seconds = 3, most = 400, least = 7 } = {}) {
  const repeat = Math.max(1, Math.round(0.5 / Math.max(once(base, 1), 1e-4)));
  const [slow, fast] = [[], []];
  const until = performance.now() + seconds * 1000;
  for (let round = 0; round < least || (round < most && performance.now() < until); round++) {
    slow.push(once(base, repeat));
    fast.push(once(ours, repeat));
  }
  return result(slow, fast);
}

/** The same for work that is awaited. */
export async function compareAwaited(base, ours, { seconds = 3, most = 400, least = 7 } = {}) {
  const once = async (work) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  await once(base);
  const [slow, fast] = [[], []];
  const until = performance.now() + seconds * 1000;
  for (let round = 0; round < least || (round < most && performance.now() < until); round++) {
    slow.push(await once(base));
    fast.push(await once(ours));
  }
  return result(slow, fast);
}

function result(slow, fast) {
  const [base, ours] = [summary(slow), summary(fast)];
  const ratio = base.median / ours.median;
  return { base, ours, ratio, best: base.least / ours.least, rounds: slow.length };
}

/** Milliseconds for one call, averaged over `repeat`. */
function once(work, repeat) {
  const start = performance.now();
  for (let i = 0; i < repeat; i++) work();
  return (performance.now() - start) / repeat;
}

function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), least: sorted[0], low: at(0.25), high: at(0.75) };
}
