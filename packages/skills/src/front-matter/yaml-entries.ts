import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from "yaml";
import type { Entry } from "./entry.ts";

/** What YAML holds, or what is wrong with it, with lines of the front matter counted from 1. */
export type YamlEntries =
  | { readonly entries: readonly Entry[] }
  | { readonly faults: readonly { readonly line: number; readonly message: string }[] }
  /** Nothing at all, and something without fields. */
  | "empty"
  | "no map";

/** Expands no alias: what it stands for may be as large as one likes. */
export function yamlEntries(source: string): YamlEntries {
  const lines = new LineCounter();
  const { contents, errors } = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  if (errors.length > 0) {
    const faults = errors.map(({ code, message, pos }) => ({
      line: lines.linePos(pos[0]).line,
      message: code === "BLOCK_AS_IMPLICIT_KEY" ? 'put a value with ": " in quotes' : message,
    }));
    return { faults };
  }
  if (!isMap(contents)) return contents === null ? "empty" : "no map";
  return { entries: contents.items.map((pair) => entryOf(pair, lines)) };
}

function entryOf(pair: Pair, counter: LineCounter): Entry {
  const { value } = pair;
  const entry = { field: nameOf(pair), value: plain(value), line: lineOf(pair, counter) };
  if (!isMap(value)) return entry;
  // Of keys that are the same text, the first.
  const lines = value.items
    .filter(({ key }) => isScalar(key))
    .map((one) => [nameOf(one), lineOf(one, counter)] as const);
  return { ...entry, lines: new Map(lines.toReversed()) };
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "?";
}

function lineOf({ key }: Pair, counter: LineCounter): number {
  const start = (key as { range?: readonly [number, number, number] } | null)?.range?.[0];
  return start === undefined ? 1 : counter.linePos(start).line;
}

/** A value without its YAML. */
function plain(node: unknown): unknown {
  if (node === null || node === undefined) return null;
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(plain);
  if (!isMap(node)) return undefined;
  return Object.fromEntries(node.items.map((pair) => [nameOf(pair), plain(pair.value)]));
}
