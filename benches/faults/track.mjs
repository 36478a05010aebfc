// Finds out which line of a new version each line of an old one became, by two kinds of diff.
//
// From one commit to the next, files change little, so the two mostly agree. If they agree on a line in each
// step from version to version, the answer counts as true; otherwise the line is contested.

// The lines of a text, its final newline left out.
export function linesOf(text) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

// For each old line the index of its new line, or -1, by the algorithm of Myers.
export function myers(old, next) {
  const map = new Array(old.length).fill(-1);
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) map[start] = start++;
  let [oldEnd, newEnd] = [old.length, next.length];
  while (oldEnd > start && newEnd > start && old[oldEnd - 1] === next[newEnd - 1]) map[--oldEnd] = --newEnd;
  const a = old.slice(start, oldEnd);
  const b = next.slice(start, newEnd);
  for (const [x, y] of shortestEdit(a, b)) map[start + x] = start + y;
  return map;
}

// The pairs of equal lines that a shortest edit script keeps, found greedily (Myers 1986).
function shortestEdit(a, b) {
  const [n, m] = [a.length, b.length];
  const most = n + m;
  const reach = new Int32Array(2 * most + 2);
  const trace = [];
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice(most - d, most + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[most + k - 1] < reach[most + k + 1]);
      let x = down ? reach[most + k + 1] : reach[most + k - 1] + 1;
      while (x < n && x - k < m && a[x] === b[x - k]) x++;
      reach[most + k] = x;
      if (x >= n && x - k >= m) return walkBack(a, b, trace, d);
    }
  }
  return [];
}

function walkBack(a, b, trace, steps) {
  const pairs = [];
  let [x, y] = [a.length, b.length];
  for (let d = steps; d > 0; d--) {
    const at = (k) => trace[d][d + k];
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const from = down ? at(k + 1) : at(k - 1);
    const [startX, startY] = [from, from - (down ? k + 1 : k - 1)];
    while (x > startX + (down ? 0 : 1) && y > startY + (down ? 1 : 0)) pairs.push([--x, --y]);
    [x, y] = [startX, startY];
  }
  while (x > 0 && y > 0) pairs.push([--x, --y]);
  return pairs;
}

// The same by patience diff: first it pairs lines that occur once in both versions, then the ranges between.
export function patience(old, next) {
  const map = new Array(old.length).fill(-1);
  align(old, next, 0, old.length, 0, next.length, map);
  return map;
}

function align(old, next, a, aEnd, b, bEnd, map) {
  while (a < aEnd && b < bEnd && old[a] === next[b]) map[a++] = b++;
  while (a < aEnd && b < bEnd && old[aEnd - 1] === next[bEnd - 1]) map[--aEnd] = --bEnd;
  if (a === aEnd || b === bEnd) return;
  const chain = risingPairs(old, next, a, aEnd, b, bEnd);
  if (chain.length === 0) {
    for (const [x, y] of shortestEdit(old.slice(a, aEnd), next.slice(b, bEnd))) map[a + x] = b + y;
    return;
  }
  for (const [x, y] of [...chain, [aEnd, bEnd]]) {
    align(old, next, a, x, b, y, map);
    if (x < aEnd) map[x] = y;
    [a, b] = [x + 1, y + 1];
  }
}

function risingPairs(old, next, a, aEnd, b, bEnd) {
  const seen = new Map();
  for (let x = a; x < aEnd; x++) seen.set(old[x], seen.has(old[x]) ? null : { x, y: -1 });
  for (let y = b; y < bEnd; y++) {
    const entry = seen.get(next[y]);
    if (entry) entry.y = entry.y < 0 ? y : Infinity;
  }
  const pairs = [...seen.values()].filter((entry) => entry && entry.y >= 0 && entry.y < Infinity);
  pairs.sort((one, other) => one.x - other.x);
  const tops = [];
  for (const pair of pairs) {
    const at = tops.findIndex((top) => top.y >= pair.y);
    pair.before = tops[(at < 0 ? tops.length : at) - 1];
    tops[at < 0 ? tops.length : at] = pair;
  }
  const chain = [];
  for (let pair = tops.at(-1); pair; pair = pair.before) chain.unshift([pair.x, pair.y]);
  return chain;
}

// Slides every group of added or deleted lines down as far as possible, as git does: a block that was added
// after another ends with its own brace, not with the brace of the block above it.
function slidDown(map, old, next) {
  const from = new Array(next.length).fill(-1);
  map.forEach((to, at) => {
    if (to >= 0) from[to] = at;
  });
  const slide = (lines, partner, others) => {
    for (let start = lines.length - 1; start >= 0; start--) {
      if (partner[start] >= 0 || (start > 0 && partner[start - 1] < 0)) continue;
      let [first, end] = [start, start];
      while (end < lines.length && partner[end] < 0) end++;
      while (end < lines.length && partner[end] >= 0 && lines[first] === lines[end]) {
        others[partner[end]] = first;
        [partner[first], partner[end]] = [partner[end], -1];
        [first, end] = [first + 1, end + 1];
      }
    }
  };
  slide(next, from, map);
  slide(old, map, from);
  return map;
}

// Follows every line of the first version through all others: `{ to, contested }` for each.
export function track(versions) {
  const [first, ...later] = versions;
  const ways = [myers, patience].map((diff) => {
    let places = first.map((_, index) => index);
    let old = first;
    for (const next of later) {
      const map = slidDown(diff(old, next), old, next);
      places = places.map((place) => (place < 0 ? -1 : map[place]));
      old = next;
    }
    return places;
  });
  return ways[0].map((to, index) => ({ to, contested: to !== ways[1][index] }));
}
