import type { Engine } from "./engines.ts";

/** What an engine needs on its command line to run a module of the site that uses loopback. */
export const engineFlags: Partial<Record<Engine["name"], string[]>> = {
  Bun: ["--no-install"],
  Deno: ["run", "--no-prompt", "--node-modules-dir=manual", "--allow-net=127.0.0.1"],
};
