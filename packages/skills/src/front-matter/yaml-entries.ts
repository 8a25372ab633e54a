import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from "yaml";
import type { Entry } from "./entry.ts";

/**
 * Expands no alias: what it stands for may be as large as one likes.
 *
 * @param fault gets what is wrong with it, and the line of the front matter, counted from 1
 * @returns null if it holds nothing at all, and nothing of use if it has faults or is no map
 */
export function yamlEntries(
  source: string,
  fault: (line: number, message: string) => void,
): readonly Entry[] | null | undefined {
  const lineCounter = new LineCounter();
  const { contents, errors } = parseDocument(source, { lineCounter, prettyErrors: false, uniqueKeys: true });
  for (const { code, message, pos } of errors) {
    const advice = code === "BLOCK_AS_IMPLICIT_KEY" ? 'put a value with ": " in quotes' : message;
    fault(lineCounter.linePos(pos[0]).line, advice);
  }
  if (errors.length > 0 || !isMap(contents)) return contents && undefined;
  const lineOf = ({ key }: Pair): number => {
    const start = (key as { range?: readonly [number, number, number] } | null)?.range?.[0];
    return start === undefined ? 1 : lineCounter.linePos(start).line;
  };
  return contents.items.map((pair) => ({
    field: nameOf(pair),
    value: plain(pair.value),
    line: lineOf(pair),
    lineOf: (key) =>
      lineOf((isMap(pair.value) && pair.value.items.find((one) => isScalar(one.key) && nameOf(one) === key)) || pair),
  }));
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "?";
}

/** A value without its YAML. */
function plain(node: unknown): unknown {
  if (node === null || node === undefined) return null;
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(plain);
  if (!isMap(node)) return undefined;
  return Object.fromEntries(node.items.map((pair) => [nameOf(pair), plain(pair.value)]));
}
