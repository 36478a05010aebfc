// Makes a new version of a text and tracks which of its lines were in the old one.
//
// A line is `{ id, text }`. A moved line keeps its id; a new, copied or changed one has no id, because its
// text was never shown or belongs to another line. In the end three kinds of lines get an id after all:
// the only copy of a line that is gone, a line with the text that used to be at its place, and a copy
// between the old neighbours of its original, which is elsewhere by then.

const CHANGES = ["insert", "delete", "move", "copy", "change", "insert", "delete", "change"];

export function numbered(lines) {
  return lines.map((text, id) => ({ id, text }));
}

// Returns a new version, and the ids of the old lines near a change.
export function mutate(lines, texts, random) {
  let version = numbered(lines);
  const touched = new Set();
  const touch = (at) => {
    for (const line of version.slice(Math.max(0, at - 2), at + 3)) {
      if (line.id !== undefined) touched.add(line.id);
    }
  };
  const count = random.between(1, 5);
  for (let done = 0; done < count && version.length > 10; done++) {
    const at = random.between(0, version.length - 1);
    const size = Math.min(random.pick([1, 1, 2, 3, 5, 8, 15]), version.length - at);
    touch(at);
    touch(at + size);
    switch (random.pick(CHANGES)) {
      case "insert":
        version.splice(at, 0, ...newLines(texts, version, size, random));
        break;
      case "delete":
        version.splice(at, size);
        break;
      case "move": {
        const block = version.splice(at, size);
        const to = random.between(0, version.length);
        version.splice(to, 0, ...block);
        touch(to);
        break;
      }
      case "copy": {
        const block = copies(version.slice(at, at + size));
        const to = random.chance(0.5) ? at + size : random.between(0, version.length);
        version.splice(to, 0, ...block);
        touch(to);
        break;
      }
      case "change":
        version = version.map((line, index) => {
          const other = index >= at && index < at + size ? altered(line, random) : line;
          // If the text came out unchanged, it is still the same line.
          return other.text === line.text ? line : other;
        });
        break;
    }
  }
  settle(version, lines);
  return { version, touched: [...touched] };
}

function copies(block) {
  return block.map(({ text, id, from }) => ({ text, from: id ?? from }));
}

function settle(version, lines) {
  const kept = new Set(version.map(({ id }) => id));
  const heirs = new Map();
  for (const line of version) {
    const orphan = line.id === undefined && line.from !== undefined && !kept.has(line.from);
    if (orphan) heirs.set(line.from, [...(heirs.get(line.from) ?? []), line]);
  }
  for (const [from, [heir, ...others]] of heirs) {
    if (others.length === 0) heir.id = from;
  }
  giveBack(version);
  const present = new Set(version.map(({ id }) => id));
  version.forEach((line, at) => {
    if (line.id !== undefined) return;
    const above = at === 0 ? -1 : version[at - 1].id;
    if (above !== undefined && line.text === lines[above + 1] && !present.has(above + 1)) {
      line.id = above + 1;
      present.add(line.id);
    }
  });
}

// If copies fill the gap between two lines exactly as the originals did, the text has not changed there, so
// they count as the originals.
function giveBack(version) {
  for (let start = 0; start < version.length; start++) {
    const above = start === 0 ? -1 : version[start - 1].id;
    if (above === undefined || version[start].id !== undefined) continue;
    let end = start;
    while (
      end < version.length &&
      version[end].id === undefined &&
      version[end].from === above + 1 + end - start
    )
      end++;
    if (end === start || version[end]?.id !== above + 1 + end - start) continue;
    for (const line of version.slice(start, end)) {
      const original = version.find(({ id }) => id === line.from);
      if (original !== undefined) delete original.id;
      line.id = line.from;
    }
  }
}

// Lines to insert: taken from another text or, as people also copy their own code, from this one.
function newLines(texts, version, size, random) {
  const own = random.chance(0.3);
  const source = own ? version : random.pick(texts).map((text) => ({ text }));
  const start = random.between(0, Math.max(0, source.length - size));
  return copies(source.slice(start, start + size));
}

function altered({ id, text }, random) {
  const way = random.between(0, 3);
  if (way === 0) return { text: `  ${text}`, respaced: id };
  if (way === 1 && text.trim() !== "")
    return { text: text.replace(/\w+/, (word) => `${word}${random.between(2, 99)}`) };
  if (way === 2) return { text: `${text} // ${random.between(100, 999)}` };
  return { text: `${text.match(/^\s*/)[0]}rewritten(${random.between(100, 999)});` };
}
