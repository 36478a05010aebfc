// Seeded random numbers: the same seed makes the same trials on every machine.

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0 || 1;
  }

  // A number of at least 0 and below 1 (mulberry32).
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  // A whole number from `low` to `high`, both included.
  between(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  chance(share) {
    return this.next() < share;
  }

  // A separate generator, so that one more draw from it does not change the draws from this one.
  fork() {
    return new Random(this.between(1, 0xffffffff));
  }
}
