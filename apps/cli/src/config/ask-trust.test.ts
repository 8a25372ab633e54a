import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { written } from "../../test/support/command-line.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { askTrust } from "./ask-trust.ts";
import type { Project } from "./open-project.ts";

it("shows what a folder configures with its spaces, and what cannot be seen as escapes", async () => {
  const config = ["system = one  and   two\u001b[2J\nthree"];
  const project = {
    top: "/p",
    config: "/p/.cogency/config.json",
    rules: "/p/.cogency/rules.json",
    present: ["/p/.cogency/config.json"],
    trust: "unknown",
    review: { lines: { config, rules: [] } },
  } as unknown as Project;
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns: 80, rows: 24 })];
  const shown = written(output, /Trust this folder\? .*\] $/);
  const answer = askTrust(project, { input, output } as unknown as Terminal);
  expect(await shown).toContain("    system = one  and   two\\u001b[2J\\u000athree\n");
  input.write("n\n");
  expect(await answer).toBe(false);
});
