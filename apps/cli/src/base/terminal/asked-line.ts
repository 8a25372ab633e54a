import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Terminal } from "./terminal.ts";

/** Asks for a line. Ctrl-C ends the process. @returns undefined where the input ends */
export function askedLine(prompt: string, terminal: Terminal): Promise<string | undefined> {
  return lineOf(prompt, terminal, terminal.output);
}

/** Asks for a line that is not shown, such as a key. */
export async function hiddenLine(prompt: string, terminal: Terminal): Promise<string | undefined> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = await lineOf(prompt, terminal, unseen);
  terminal.output.write("\n");
  return line;
}

async function lineOf(
  prompt: string,
  { input, output }: Terminal,
  shown: NodeJS.WritableStream,
): Promise<string | undefined> {
  if (shown !== output) output.write(prompt);
  const lines = createInterface({
    input,
    output: shown,
    terminal: true,
    historySize: 0,
    prompt: shown === output ? prompt : "",
  });
  const line = await new Promise<string | undefined>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(undefined));
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    lines.prompt();
  });
  lines.close();
  return line;
}
