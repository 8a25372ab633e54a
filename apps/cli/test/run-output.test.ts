import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { calling, jsonLines, models, type Outcome, place } from "./support/command-line.ts";
import { problemsOf, runOutputSchema } from "./support/run-output.ts";

const published = fileURLToPath(new URL("../schema/run-output.schema.json", import.meta.url));

const last = ({ stdout }: Outcome) => jsonLines<object>(stdout).at(-1);

it("the published schema is that of the types", async () => {
  await expect(`${JSON.stringify(runOutputSchema(), undefined, 2)}\n`).toMatchFileSnapshot(published);
});

it("the schema refuses a line that no run prints", async () => {
  const run = { id: "r", conversation: "c", step: 1, order: 1 };
  for (const line of [
    { type: "unknown", timestamp: 1, run },
    { type: "respond", timestamp: 1, run },
    { type: "run" },
  ]) {
    expect(await problemsOf({ stdout: JSON.stringify(line) })).toHaveLength(1);
  }
});

it("each line of a run fits the published schema, and a command that failed is no success anywhere", async () => {
  const { cogency } = place();
  const failing = [{ name: "shell", args: { command: "ls nowhere" } }];
  const reading = [{ name: "read", args: { file: "notes.txt" } }];
  const run = await cogency(["go", "--conversation", "c", "--yes", "--json", ...calling(failing, reading)]);
  expect(await problemsOf(run)).toEqual([]);
  const ended = jsonLines<{ type: string }>(run.stdout).filter(({ type }) => type === "tool_ended");
  expect(ended).toMatchObject([
    {
      name: "shell",
      outcome: "failure",
      result: { status: "failure", content: expect.stringMatching(/^exit code 2\n/) },
    },
    { name: "read", outcome: "success" },
  ]);
  expect(last(run)).toMatchObject({ status: "completed", toolErrors: 1, exit: 0 });

  const { stdout } = await cogency(["history", "show", "c"]);
  expect(stdout).toMatch(/^✗ shell exit code 2, /m);
  expect(stdout).not.toMatch(/^✓ shell/m);
});

it("each line of a run that failed, and of one that was never begun, fits it as well", async () => {
  const { cogency, store } = place();
  const failed = await cogency(["go", "--json", "--provider", models, "--model", "overloaded"]);
  expect(await problemsOf(failed)).toEqual([]);
  expect(last(failed)).toMatchObject({ status: "failed", error: { code: "provider" }, exit: failed.code });
  const unknown = await cogency(["go", "--json", "--resume", "nothing", "--store", `${store}.other`]);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
});
