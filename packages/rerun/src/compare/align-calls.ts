import { canonicalJson } from "@cogency/tools/host";
import type { RecordedCall } from "../record/recorded-calls-of.ts";

/** One call of a recorded run, of a variant, or of both. */
export type CallDifference =
  /** Both made it with the same arguments, in the same place among the calls. */
  | { readonly kind: "same"; readonly recorded: RecordedCall; readonly made: RecordedCall }
  /** Both called the tool in this place, with other arguments. */
  | { readonly kind: "changed"; readonly recorded: RecordedCall; readonly made: RecordedCall }
  | { readonly kind: "missing"; readonly recorded: RecordedCall; readonly made?: undefined }
  | { readonly kind: "added"; readonly recorded?: undefined; readonly made: RecordedCall };

/**
 * The difference between two lists of calls: the most calls that both have in the same order are the same; between them, calls of
 * one tool are paired in their order. Of lists whose middle parts have more than 4,000,000 pairs, only the same beginning and end are
 * found.
 */
export function alignCalls(recorded: readonly RecordedCall[], made: readonly RecordedCall[]): CallDifference[] {
  const differences: CallDifference[] = [];
  let [at, to] = [0, 0];
  for (const [same, other] of sameCalls(recorded.map(spelled), made.map(spelled))) {
    differences.push(...between(recorded.slice(at, same), made.slice(to, other)));
    differences.push({ kind: "same", recorded: recorded[same] as RecordedCall, made: made[other] as RecordedCall });
    [at, to] = [same + 1, other + 1];
  }
  return [...differences, ...between(recorded.slice(at), made.slice(to))];
}

function between(recorded: readonly RecordedCall[], made: readonly RecordedCall[]): CallDifference[] {
  const left = [...recorded];
  return made
    .flatMap((call): CallDifference[] => {
      const at = left.findIndex(({ name }) => name === call.name);
      if (at === -1) return [{ kind: "added", made: call }];
      const [pair, ...skipped] = left.splice(0, at + 1).reverse() as [RecordedCall, ...RecordedCall[]];
      return [...skipped.reverse().map(missing), { kind: "changed", recorded: pair, made: call }];
    })
    .concat(left.map(missing));
}

function missing(recorded: RecordedCall): CallDifference {
  return { kind: "missing", recorded };
}

/** The places of a longest common subsequence. */
function sameCalls(a: readonly string[], b: readonly string[]): [number, number][] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = longest(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [
    ...Array.from({ length: start }, (_, i): [number, number] => [i, i]),
    ...middle.map(([i, j]): [number, number] => [start + i, start + j]),
    ...Array.from({ length: end }, (_, i): [number, number] => [a.length - end + i, b.length - end + i]),
  ];
}

function longest(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length * b.length > mostPairs) return [];
  const width = b.length + 1;
  // The length of the longest one of what is left from each place on.
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

const mostPairs = 4_000_000;

function spelled({ name, args }: RecordedCall): string {
  return canonicalJson([name, args]);
}
