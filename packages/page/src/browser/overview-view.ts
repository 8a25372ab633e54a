import { cost, counted, duration, grouped, percent } from "../conversation/format.ts";
import type { ShownConversation } from "../conversation/shown-conversation.ts";
import type { Step } from "../conversation/step.ts";
import { contextOf, modelOf, type Totals, totalsOf } from "../conversation/totals.ts";
import { visible } from "../text.ts";
import { disclosure, svg, tag } from "./tag.ts";

/** Figures of the whole conversation, how its context grew, and each step as a row of a table. */
export function overviewView(conversation: ShownConversation): HTMLElement[] {
  const totals = totalsOf(conversation);
  const steps = conversation.steps();
  const figures = figuresOf(totals).map(([name, value, note]) =>
    tag("div", {}, tag("dt", {}, name), tag("dd", {}, value, note ? tag("small", {}, note) : undefined)),
  );
  return [
    tag("dl", { class: "figures" }, ...figures),
    ...(steps.some(({ usage }) => usage) ? [growthChart(steps), stepsTable(steps, totals)] : []),
  ];
}

function figuresOf(totals: Totals): [name: string, value: string, note?: string | undefined][] {
  const { input, cacheRead, cacheWrite, output, reasoning, isEstimated } = totals;
  const sent = input + cacheRead + cacheWrite;
  const about = isEstimated ? "≈ " : "";
  const problems = [
    ...(totals.failed > 0 ? [`${totals.failed} failed`] : []),
    ...(totals.errors > 0 ? [counted(totals.errors, "refused block")] : []),
  ];
  return [
    ["Steps", grouped(totals.steps), totals.models.map(({ model }) => visible(model)).join(", ")],
    ["Calls", grouped(totals.calls), problems.join(", ")],
    ["Tokens in", about + grouped(sent), sent > 0 ? `${percent(cacheRead, sent)} from the cache` : undefined],
    ["Tokens out", about + grouped(output), reasoning > 0 ? `${grouped(reasoning)} reasoning` : undefined],
    [
      "Cost",
      totals.cost === undefined ? "–" : about + cost(totals.cost),
      totals.cost === undefined ? "no prices" : undefined,
    ],
    ["Time", duration(totals.duration), "of all steps"],
  ];
}

const kinds = ["cacheRead", "cacheWrite", "input", "output"] as const;
const kindNames = {
  cacheRead: "read from the cache",
  cacheWrite: "written to the cache",
  input: "input",
  output: "output",
};

/** A bar for each step: the tokens of its request by how they were billed, and on top those of its answer. */
function growthChart(steps: readonly Step[]): HTMLElement {
  const most = Math.max(1, ...steps.map((step) => contextOf(step) + (step.usage?.output ?? 0)));
  const width = Math.min(24, 600 / steps.length);
  const bars = steps.flatMap(({ usage, number }, i) => {
    let top = height;
    return kinds.flatMap((kind) => {
      const tokens = usage?.[kind] ?? 0;
      if (!(tokens > 0)) return [];
      const tall = (height * tokens) / most;
      top -= tall;
      const bar = svg("rect", {
        class: kind,
        x: (i * width + width * 0.1).toFixed(2),
        y: top.toFixed(2),
        width: (width * 0.8).toFixed(2),
        height: tall.toFixed(2),
      });
      bar.append(svg("title", {}, `step ${number}: ${grouped(tokens)} tokens ${kindNames[kind]}`));
      return [bar];
    });
  });
  const last = steps.findLast(({ usage }) => usage);
  const label = `Tokens of each step, at most ${grouped(most)}; ${last ? `${grouped(contextOf(last))} in the last request` : ""}`;
  const keys = kinds.map((kind) => tag("span", { class: "key" }, tag("i", { class: kind }), kindNames[kind]));
  return tag(
    "figure",
    { class: "growth" },
    tag("figcaption", {}, tag("span", { class: "fact" }, `Context, at most ${grouped(most)} tokens`), ...keys),
    svg(
      "svg",
      {
        viewBox: `0 0 ${(width * steps.length).toFixed(2)} ${height}`,
        preserveAspectRatio: "xMinYMax meet",
        role: "img",
        "aria-label": label,
      },
      ...bars,
    ),
  );
}

const height = 64;

function stepsTable(steps: readonly Step[], totals: Totals): HTMLElement {
  return disclosure(["Every step in numbers"], () => {
    const columns = ["Step", "Model", "Input", "Cache read", "Cache write", "Output", "Reasoning", "Cost", "Time"];
    const row = (cells: readonly string[]) =>
      tag(
        "tr",
        {},
        ...cells.map((text, i) =>
          tag(i === 0 ? "th" : "td", { class: i === 1 ? "left" : undefined, scope: i === 0 ? "row" : undefined }, text),
        ),
      );
    const rows = steps.map((step) => {
      const { usage, number } = step;
      return row([
        `${number}`,
        visible(modelOf(step)),
        ...(["input", "cacheRead", "cacheWrite", "output", "reasoning"] as const).map((name) =>
          usage ? grouped(usage[name]) : "–",
        ),
        usage?.cost === undefined ? "–" : cost(usage.cost),
        usage ? duration(usage.duration) : "–",
      ]);
    });
    const { input, cacheRead, cacheWrite, output, reasoning } = totals;
    const sums = [input, cacheRead, cacheWrite, output, reasoning].map(grouped);
    const foot = row([
      "All",
      "",
      ...sums,
      totals.cost === undefined ? "–" : cost(totals.cost),
      duration(totals.duration),
    ]);
    const head = tag(
      "tr",
      {},
      ...columns.map((name, i) => tag("th", { scope: "col", class: i === 1 ? "left" : undefined }, name)),
    );
    return [
      tag(
        "div",
        { class: "scrolls", tabindex: 0 },
        tag("table", { class: "numbers" }, tag("thead", {}, head), tag("tbody", {}, ...rows), tag("tfoot", {}, foot)),
      ),
    ];
  });
}
