import { type Comparison, type ComparisonSummary, summarize, type VariantRun } from "@cogency/rerun";
import { isUnrecorded } from "./shown-run.ts";

/** Comparisons as programs read them: without the logs of the variants. */
export function jsonComparison(comparisons: readonly Comparison[]): object {
  const summary: ComparisonSummary[] = summarize(comparisons);
  return {
    summary,
    conversations: comparisons.map(({ variants, ...comparison }) => ({
      ...comparison,
      variants: variants.map(variant),
    })),
  };
}

function variant(run: VariantRun): object {
  const { fork, differences, uses, ...rest } = run;
  const calls = differences.map((difference) => {
    const { kind, recorded, made } = difference;
    const { name, args } = made ?? recorded ?? {};
    return {
      kind,
      name,
      args,
      ...(recorded && { recorded: { seq: recorded.seq, args: recorded.args } }),
      ...(uses && made && { answered: !isUnrecorded(run, difference) }),
    };
  });
  return { ...rest, conversation: fork.conversation, differences: calls };
}
