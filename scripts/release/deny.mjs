// npm run deny: cargo-deny on what is compiled into the binaries, by deny.toml.
//
// Licences, bans and sources are always checked; known vulnerabilities where the database can be
// fetched. In CI it must be. cargo-deny is built from crates.io once (some minutes), so this is part of the
// nightly run, not of `npm run lint`.

import { join } from "node:path";
import { cached } from "../lab/cache.mjs";
import { must, run, script, step } from "../run.mjs";

const VERSION = "0.20.2";

async function cargoDeny() {
  const home = await cached(`cargo-deny-${VERSION}`, (directory) =>
    // Unoptimised: it takes seconds to run and minutes to optimise.
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
