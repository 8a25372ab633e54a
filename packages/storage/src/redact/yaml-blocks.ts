import { isSecretName, isSecretValue } from "./assignments.ts";
import { redactionMark } from "./redaction-mark.ts";

/** Replaces the whole block of YAML after `password: |` or `password: >`. */
export function redactYamlBlocks(text: string): string {
  let redacted = "";
  let copied = 0;
  for (const { index, 0: found, 1: number, 2: indent = "", 3: name = "" } of text.matchAll(header)) {
    if (index < copied || !isSecretName(name)) continue;
    const block = blockAt(text, index + found.length, indent.length, number !== undefined);
    if (!isSecretValue(name, block.value)) continue;
    redacted += text.slice(copied, block.start) + redactionMark;
    copied = block.end;
  }
  return copied === 0 ? text : redacted + text.slice(copied);
}

/** Lines may have line numbers. The limit of the indentation limits how deep blocks nest, and thereby the time. */
const header =
  /^([ \t]{0,16}\d{1,6}[\t:|→] ?)?( {0,64}(?:- {1,8}){0,4})["']?([\w.-]{1,64})["']?[ \t]{0,4}:[ \t]{1,8}(?:[!&][\w!]{1,32}[ \t]{1,4}){0,2}[|>][+\d-]{0,2}[ \t]{0,16}(?:#[^\n]{0,200})?\r?\n/gm;
const numbered = /[ \t]{0,16}\d{1,6}[\t:|→] ?/y;

/** The lines from `from` on that are empty or indented by more than `indent`, without empty lines at the end. */
function blockAt(text: string, from: number, indent: number, isNumbered: boolean) {
  const lines: string[] = [];
  let start = from;
  let end = from;
  for (let line = from; line < text.length; ) {
    const newline = text.indexOf("\n", line);
    const next = newline < 0 ? text.length : newline + 1;
    numbered.lastIndex = line;
    const first = isNumbered && numbered.test(text) ? numbered.lastIndex : line;
    const whole = text.slice(first, next);
    const inner = whole.trim();
    if (inner !== "") {
      const before = whole.length - whole.trimStart().length;
      if (before <= indent) break;
      if (lines.length === 0) start = first + before;
      end = first + before + inner.length;
      lines.push(inner);
    }
    line = next;
  }
  return { start, end, value: lines.join("\n") };
}
