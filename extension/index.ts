// A stub: the extension for pi and oh-my-pi is its own piece of work and has not landed yet.
// Loading it says so instead of pretending to register tools.

export default function hashline(): void {
  throw new Error("pi-hashline: the extension is not part of this version yet; the library and the CLI are");
}
