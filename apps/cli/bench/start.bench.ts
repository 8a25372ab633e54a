import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { headRow, median, paintOf, script, type Time, timeOf, timeRow } from "./support/timed.ts";

// How long the command takes to start, beside a Node that does nothing: medians of wall time and, on Linux, of CPU time, in
// milliseconds and as multiples of that Node. The commands run in turn, so that a machine whose speed drifts slows all of them.
// Of the chat, the wall time until its first frame, beside a Node that writes a word in the same pseudo-terminal.

const rounds = 15;
const bin = join(import.meta.dirname, "../bin/cogency.cjs");
const home = mkdtempSync(join(tmpdir(), "cogency-start-"));
const place = { cwd: home, home };
const commands: Record<string, string[]> = {
  "bare Node": ["-e", "0"],
  // The first one: it makes the store that the others read.
  "run, offline model": [bin, "run", "--provider", "offline", "--sandbox", "off", "hello"],
  "--version": [bin, "--version"],
  "--help": [bin, "--help"],
  "history list": [bin, "history", "list"],
  "completion, commands": [bin, "_complete", "--", "h"],
  "completion, models": [bin, "_complete", "--", "run", "--model", "g"],
  "completion, names": [bin, "_complete", "--", "history", "show", ""],
};

const painters = {
  node: { args: ["-e", 'process.stdout.write("ready")'], shows: /ready/, leave: "" },
  chat: { args: [bin, "chat", "--provider", "offline", "--sandbox", "off"], shows: /\/help shows/, leave: "/quit\r" },
};

try {
  const times = new Map<string, Time[]>(Object.keys(commands).map((name) => [name, []]));
  // The first round fills the compile cache.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const time = timeOf(args, place);
      if (round > 0) times.get(name)?.push(time);
    }
  }
  const paints = new Map<string, number[]>(Object.keys(painters).map((name) => [name, []]));
  for (let round = 0; script !== undefined && round <= rounds; round++) {
    for (const [name, { args, ...painted }] of Object.entries(painters)) {
      const { wall } = await paintOf(script, args, place, painted);
      if (round > 0) paints.get(name)?.push(wall);
    }
  }
  const floor = medians(times.get("bare Node") ?? []);
  console.log(headRow(22));
  for (const [name, all] of times) console.log(timeRow(name, 22, medians(all), floor));
  const [bare, chat] = [...paints.values()].map(median);
  if (script === undefined) console.log("first frame: not measured, since script is not installed");
  else
    for (const [name, wall] of [
      ["Node, one word in a terminal", bare],
      ["chat, first frame", chat],
    ] as const)
      console.log(`${name.padEnd(28)}${wall?.toFixed(0).padStart(6)} ms ${((wall ?? 0) / (bare ?? 1)).toFixed(2)} ×`);
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}`,
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}

function medians(times: readonly Time[]): Time {
  return { wall: median(times.map(({ wall }) => wall)), cpu: median(times.map(({ cpu }) => cpu)) };
}
