import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Recording, Variation } from "./play.ts";

/** What was recorded of one case. */
export interface RecordedCase {
  name: string;
  base: Recording;
  variants: RecordedVariant[];
}

interface RecordedVariant {
  variation: Variation;
  recording: Recording;
}

const folder = new URL("recorded/", import.meta.url);
const lists = ["log", "events", "requests", "trace", "operations"] as const;

/** A list as the number of lines that it shares with the beginning of the base's, and the rest. */
type Difference = [shared: number, ...rest: string[]];

/** Writes the base runs as JSON lines, an entry a line of a list, and the variants packed, as differences from their base. */
export function writeRecorded(file: string, cases: readonly RecordedCase[]): void {
  mkdirSync(folder, { recursive: true });
  const bases = cases.flatMap(({ name, base }) => [
    JSON.stringify({ case: name }),
    ...lists.flatMap((list) => base[list].map((line) => JSON.stringify({ [list]: line }))),
  ]);
  const variants = cases.flatMap(({ name, base, variants }) =>
    variants.map(({ variation, recording }) => {
      const differences = lists.map((list) => [list, differenceOf(base[list], recording[list])]);
      return JSON.stringify({ case: name, variation, ...Object.fromEntries(differences) });
    }),
  );
  writeFileSync(new URL(`${file}.jsonl`, folder), lines(bases));
  writeFileSync(new URL(`${file}.variants.jsonl.gz`, folder), gzipSync(lines(variants), { level: 9 }));
}

export function removeRecorded(): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) rmSync(new URL(name, folder));
}

export function readRecorded(file: string): Map<string, RecordedCase> {
  const cases = new Map<string, RecordedCase>();
  let current: RecordedCase | undefined;
  for (const line of textLines(readFileSync(new URL(`${file}.jsonl`, folder), "utf8"))) {
    const [[key, value] = ["", ""]] = Object.entries(JSON.parse(line) as Record<string, string>);
    if (key === "case") {
      const base: Recording = { log: [], events: [], requests: [], trace: [], operations: [] };
      current = { name: value, base, variants: [] };
      cases.set(value, current);
    } else current?.base[key as keyof Recording].push(value);
  }
  const packed = readFileSync(new URL(`${file}.variants.jsonl.gz`, folder));
  for (const line of textLines(gunzipSync(packed).toString("utf8"))) {
    const { case: name, variation, ...differences } = JSON.parse(line);
    const found = cases.get(name);
    if (!found) throw new Error(`The recording of ${file} has variants of ${name}, but no base run.`);
    const { base, variants } = found;
    const whole = lists.map((list) => [list, wholeOf(base[list], differences[list])]);
    variants.push({ variation, recording: Object.fromEntries(whole) });
  }
  return cases;
}

function differenceOf(base: readonly string[], list: readonly string[]): Difference {
  const first = list.findIndex((line, index) => line !== base[index]);
  const shared = first === -1 ? list.length : first;
  return [shared, ...list.slice(shared)];
}

function wholeOf(base: readonly string[], [shared, ...rest]: Difference): string[] {
  return [...base.slice(0, shared), ...rest];
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

function textLines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
