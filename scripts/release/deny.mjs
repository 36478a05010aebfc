// npm run deny: checks the crates in the binaries with cargo-deny, by the rules of deny.toml.
//
// It always checks licences, bans and sources, and known vulnerabilities if it can fetch the database; CI fails
// if it cannot. The first run compiles cargo-deny, which takes some minutes, so this is part of the nightly run,
// not of `npm run lint`.

import { join } from "node:path";
import { cached } from "../lab/cache.mjs";
import { must, run, script, step } from "../run.mjs";

const VERSION = "0.20.2";

async function cargoDeny() {
  const home = await cached(`cargo-deny-${VERSION}`, (directory) =>
    // Not optimised, because it runs for seconds, and optimising it takes minutes.
    must("cargo", [
      "install",
      "--quiet",
      "--locked",
      "--debug",
      "--root",
      directory,
      `cargo-deny@${VERSION}`,
    ]),
  );
  return join(home, "bin", "cargo-deny");
}

await script(async () => {
  const deny = await cargoDeny();
  step("licences, bans, sources");
  await must(deny, ["--locked", "check", "licenses", "bans", "sources"]);
  step("advisories");
  const { code } = await run(deny, ["--locked", "fetch", "db"], { quiet: true, mayFail: true });
  if (code === 0) await must(deny, ["--locked", "check", "--disable-fetch", "advisories"]);
  else if (process.env.CI) throw new Error("the database of advisories cannot be fetched");
  else step("advisories: skipped, the database cannot be fetched");
});
