import type { ResultEvent } from "./events.ts";
import { RESULTS_CLOSE } from "./markers.ts";
import { parseResults, resultsText } from "./serialize.ts";
import type { ToolResult } from "./tool.ts";

/** Finds the end of a `<results>` block in a transcript: the first `</results>` outside a JSON string. */
export class ResultsBlock {
  closed = false;
  /** The text of the block so far, without its opener. */
  #text = "";
  #inString = false;
  #escaped = false;
  #closerRead = 0;

  /** Read `text` from index `from`; returns the index after the last character that belongs to the block. */
  read(text: string, from: number): number {
    let i = from;
    while (i < text.length && !this.closed) this.#readCharacter(text.charAt(i++));
    this.#text += text.slice(from, i);
    return i;
  }

  /** What a closed block says; undefined if it holds no array of results. */
  get result(): Pick<ResultEvent, "content" | "payload"> | undefined {
    const json = this.#text.slice(0, -RESULTS_CLOSE.length);
    const results = parseResults(json);
    if (results === null) return undefined;
    const successes = results.filter(({ status }) => status === "success").length;
    return {
      content: written(results, json),
      payload: {
        tools_executed: results.length,
        success_count: successes,
        failure_count: results.length - successes,
      },
    };
  }

  #readCharacter(character: string): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (character === "\\") this.#escaped = true;
      else if (character === '"') this.#inString = false;
      return;
    }
    if (character === '"') this.#inString = true;
    if (character === RESULTS_CLOSE.charAt(this.#closerRead)) this.#closerRead++;
    else this.#closerRead = character === "<" ? 1 : 0;
    this.closed = this.#closerRead === RESULTS_CLOSE.length;
  }
}

/** As it is written here, or as it stands if it is nested too deep to be written. */
function written(results: readonly ToolResult[], json: string): string {
  try {
    return resultsText(results);
  } catch {
    return json.trim().toWellFormed();
  }
}
