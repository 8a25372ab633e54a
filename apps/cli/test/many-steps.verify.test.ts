import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outcomeOf, place } from "./support/command-line.ts";
import { replyingServer } from "./support/model-servers.ts";

/** Beyond the 20, the 200 and the 400 steps that have ended turns before. */
const steps = 450;
/** Steps whose work is compared: the first ones warm the process up. */
const warm = 20;
const block = 20;

interface Sample {
  at: number;
  /** Milliseconds of processor time. */
  cpu: number;
  megabytes: number;
}

function sampleOf(pid: number): Sample {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  const [, kilobytes = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { at: performance.now(), cpu: (user + system) * 10, megabytes: Number(kilobytes) / 1024 };
}

const perStep = (samples: readonly Sample[], of: "at" | "cpu") =>
  ((samples.at(-1)?.[of] ?? 0) - (samples[0]?.[of] ?? 0)) / (samples.length - 1);

// `/proc` is Linux's.
describe.skipIf(process.platform !== "linux")("a turn of many steps", () => {
  it.each([
    ["protocol", undefined],
    ["native", undefined],
    // V8 takes more memory rather than collect it, unless it may not: what a turn keeps does not grow.
    ["native", "--max-old-space-size=48 --max-semi-space-size=4"],
  ])("takes for the last steps no longer, and keeps no more memory: %s, %s", async (driver, heap) => {
    const samples: Sample[] = [];
    let pid = 0;
    const call = (at: number) =>
      at % 2 === 0
        ? { name: "read", args: { file: "numbers.txt", from: at + 1, lines: 20 } }
        : { name: "shell", args: { command: `echo step ${at}` } };
    const server = await replyingServer((_, at) => {
      samples.push(sampleOf(pid));
      if (at === steps) return "Done.<end>";
      return driver === "native" ? { call: call(at) } : `<execute>${JSON.stringify([call(at)])}</execute>`;
    });
    const at = place();
    writeFileSync(join(at.folder, "numbers.txt"), Array.from({ length: 1000 }, (_, line) => `line ${line}`).join("\n"));
    const options = ["--driver", driver, "--yes", "--sandbox", "off", "--json"];
    const env = { OPENAI_API_KEY: "sk-test", ...(heap !== undefined && { NODE_OPTIONS: heap }) };
    const child = at.start(["run", "Count.", ...options, ...server.at("Chat Completions")], { env });
    pid = child.pid ?? 0;
    const { code, stdout } = await outcomeOf(child);
    expect({ code, steps: JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}").steps }).toEqual({
      code: 0,
      steps: steps + 1,
    });

    const first = samples.slice(warm, warm + block + 1);
    const last = samples.slice(-block - 1);
    const [early, late] = [first, last].map((part) => ({
      ms: perStep(part, "at").toFixed(1),
      cpu: perStep(part, "cpu").toFixed(1),
      megabytes: part.at(-1)?.megabytes.toFixed(0),
    }));
    const name = `${driver}${heap === undefined ? "" : `, ${heap}`}`;
    const text = [early, late].map((part) => `${part?.ms} ms, ${part?.cpu} ms of CPU, ${part?.megabytes} MB`);
    console.info(`${name}: steps ${warm} to ${warm + block}: ${text[0]}; the last ${block} of ${steps}: ${text[1]}`);
    if (heap !== undefined) {
      expect((samples.at(-1)?.megabytes ?? 0) - (samples[100]?.megabytes ?? 0)).toBeLessThan(50);
      return;
    }
    // Each request holds what was said before, so it grows a little; what is done again for each step would make it tenfold.
    const [before, after] = [samples.slice(warm, warm + 101), samples.slice(-101)];
    expect(perStep(after, "cpu") / perStep(before, "cpu")).toBeLessThan(3);
  });
});
