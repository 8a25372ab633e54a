import { parseArgs } from "node:util";
import { isConfined, runConfined } from "./confine.ts";
import { type Kind, kinds } from "./figures/measure-peer.ts";
import { install } from "./install.ts";
import { measure } from "./measure.ts";
import { peers } from "./peers/peers.ts";
import { printed } from "./report/printed.ts";
import { writePicture } from "./report/write-picture.ts";

// `pnpm bench:peers`: installs terminal agents of others from the npm registry, and measures them beside the app. Less is asked for by
// --figures, --steps, --work and --peers pi,codex; a run of all writes the picture of the README.
const { values } = parseArgs({
  options: {
    figures: { type: "boolean" },
    steps: { type: "boolean" },
    work: { type: "boolean" },
    peers: { type: "string" },
  },
});
const named = values.peers?.split(",");
const unknown = named?.filter((name) => peers.every((peer) => peer.name !== name)) ?? [];
if (unknown.length > 0) {
  console.error(`--peers knows ${peers.map(({ name }) => name).join(", ")}, not ${unknown.join(", ")}.`);
  process.exit(2);
}
const chosen = peers.filter(({ name }) => named?.includes(name) ?? true);
const asked = kinds.filter((kind) => values[kind]);
const isWhole = asked.length === 0 && named === undefined;

// The registry is asked first, by the ordinary network; what is measured finds each package installed, or learns why it is not.
const missing = new Map(chosen.map((peer) => [peer.name, install(peer, !isConfined)]));
const exitCode = isConfined ? undefined : await runConfined();
if (exitCode !== undefined) process.exit(exitCode);
const figures = await measure(chosen, new Set<Kind>(asked.length > 0 ? asked : kinds), missing);
console.log(printed(figures));
if (isWhole) writePicture(figures);
