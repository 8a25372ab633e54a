import { cases } from "./cases/index.ts";
import { play } from "./play.ts";
import { type RecordedCase, removeRecorded, writeRecorded } from "./recorded.ts";
import { variationsOf } from "./variants.ts";

// Records the corpus anew, as the source is now. See README.md.
removeRecorded();
let bases = 0;
let variants = 0;
for (const [file, list] of Object.entries(cases)) {
  const recorded: RecordedCase[] = [];
  for (const one of list) {
    const { recording: base } = await play(one, { kind: "base" });
    const entry: RecordedCase = { name: one.name, base, variants: [] };
    for (const variation of one.variants === false ? [] : variationsOf(base)) {
      const { recording } = await play(one, variation, base.log);
      entry.variants.push({ variation, recording });
    }
    recorded.push(entry);
    bases++;
    variants += entry.variants.length;
  }
  writeRecorded(file, recorded);
  console.log(`${file}: ${recorded.length} runs`);
}
console.log(
  `${bases} runs and ${variants} variants in ${(process.cpuUsage().user / 1e6).toFixed(0)} s of processor time.`,
);
