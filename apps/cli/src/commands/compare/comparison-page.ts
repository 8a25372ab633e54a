import { createHash } from "node:crypto";
import { type CallDifference, type ComparedRun, type Comparison, summarize, type VariantRun } from "@cogency/rerun";
import { counted, visible } from "../../base/terminal/text.ts";
import {
  callText,
  headingOf,
  numberColumns,
  runCells,
  runColumns,
  signs,
  summaryCells,
  summaryColumns,
} from "./shown-run.ts";

/**
 * Comparisons as one HTML text that loads nothing, runs no script, and makes no HTML of what logs and models say.
 *
 * @param shown what is shown of a text, such as without secrets
 */
export function comparisonPage(comparisons: readonly Comparison[], shown: (text: string) => string): string {
  const page = new Page(shown);
  const title = "Comparison of runs";
  const summary =
    comparisons.length > 1
      ? `<h2>All conversations</h2>${page.table([...summaryColumns], summarize(comparisons).map(summaryCells), summaryNumbers)}<p>Sums; in brackets the median of one run.</p>`
      : "";
  const sections = comparisons.map((comparison) => page.comparison(comparison)).join("\n");
  const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${summary}
${sections}
</body>
</html>
`;
}

class Page {
  readonly #shown: (text: string) => string;

  constructor(shown: (text: string) => string) {
    this.#shown = shown;
  }

  comparison(comparison: Comparison): string {
    const { recorded, variants } = comparison;
    const rows = [recorded, ...variants].map(runCells);
    return `<section>
<h2>${this.#text(headingOf(comparison))}</h2>
${this.table([...runColumns], rows, numberColumns)}
${variants.map((run) => this.#variant(run, recorded)).join("\n")}
</section>`;
  }

  /** @param numbers the columns that hold numbers */
  table(head: readonly string[], rows: readonly (readonly string[])[], numbers: readonly number[]): string {
    const cell = (tag: string, text: string, at: number) =>
      `<${tag}${numbers.includes(at) ? ' class="number"' : ""}>${this.#text(text)}</${tag}>`;
    const cells = (row: readonly string[]) => row.map((text, at) => cell("td", text, at + 1)).join("");
    const body = rows.map(([name = "", ...rest]) => `<tr><th scope="row">${this.#text(name)}</th>${cells(rest)}</tr>`);
    const names = head.map((text, at) => cell("th", text, at)).join("");
    return `<div class="wide"><table class="runs"><thead><tr>${names}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
  }

  #variant(run: VariantRun, recorded: ComparedRun): string {
    const [name = ""] = runCells(run);
    const problem = run.message === undefined ? "" : `<p class="problem">${this.#text(run.message)}</p>`;
    return `<details open>
<summary>${this.#text(name)}: ${this.#text(countsOf(run))}</summary>
${problem}
<div class="wide"><table class="sides"><thead><tr><th></th><th>recorded</th><th>${this.#text(name)}</th></tr></thead><tbody>
${run.differences.map((difference) => this.#call(difference)).join("\n")}
<tr class="answer"><th scope="row">answer</th><td><pre>${this.#text(recorded.text)}</pre></td><td><pre>${this.#text(run.text)}</pre></td></tr>
</tbody></table></div>
</details>`;
  }

  #call({ kind, recorded, made }: CallDifference): string {
    const side = (call: typeof recorded) =>
      call ? `<pre>${this.#text(callText(call))}</pre>${this.#result(call.result?.content)}` : "";
    return `<tr class="${kind}"><th scope="row" title="${kind}">${signs[kind]}</th><td>${side(recorded)}</td><td>${side(made)}</td></tr>`;
  }

  #result(content: unknown): string {
    if (content === undefined) return "";
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return `<pre class="result">${this.#text(text.length > mostOfResult ? `${text.slice(0, mostOfResult)}…` : text)}</pre>`;
  }

  /** The text as text, whatever it holds. */
  #text(text: string): string {
    return visible(this.#shown(text)).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  }
}

function countsOf({ differences }: VariantRun): string {
  const count = (kind: CallDifference["kind"]) => differences.filter((one) => one.kind === kind).length;
  return `${counted(count("same"), "call")} the same, ${count("changed")} with other arguments, ${count("added")} new, ${count("missing")} missing`;
}

const summaryNumbers = summaryColumns.map((_, at) => at).slice(1);

/** Characters of the result of a call. */
const mostOfResult = 2000;

const style = `
:root { font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .3rem .6rem; text-align: left; vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
.runs td, .runs thead th { white-space: nowrap; } .number { text-align: right; }
pre { font: 13px/1.45 ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
details { margin: 1rem 0; } summary { cursor: pointer; padding: .3rem 0; overflow-wrap: anywhere; }
.sides { table-layout: fixed; } .sides th:first-child { width: 5rem; }
.result { margin-top: .3rem; max-height: 10rem; opacity: .75; overflow: auto; }
.changed { background: #d9a52022; } .added { background: #2da04422; } .missing { background: #d1242f22; }
@media (max-width: 40rem) { .sides th:first-child { font-size: .75rem; padding-inline: 0; width: 2.8rem; } }
.problem { color: #d1242f; }
@media print { details { break-inside: avoid; } .result { max-height: none; } }
`;
