import { styleText } from "node:util";
import type { ApprovalRequest } from "@cogency/tools";
import { preview } from "./preview.ts";
import { oneLine } from "./text.ts";

/** What a person is asked before a call runs; the answer is typed behind it. */
export function question(
  { call, suspicion }: Pick<ApprovalRequest, "call" | "suspicion">,
  output: NodeJS.WritableStream & { columns?: number },
): string {
  const stream = output as NodeJS.WriteStream;
  const name = oneLine(call.name, 64);
  const lines = [
    `${styleText("bold", name, { stream })} wants to run with`,
    ...preview(call, stream).map((line) => `  ${line}`),
    ...(suspicion ? [styleText("yellow", echo, { stream })] : []),
    suspicion ? "Allow it? [y/N] " : `Allow it? [y/N, a = always allow ${name} in this run] `,
  ];
  return lines.join("\n");
}

const echo = "! Its text stands in an earlier result; a page or file may have planted it.";
