import type { RunEvent } from "@cogency/protocol";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import { PlainOutput } from "./plain-output.ts";
import { PlainTurns } from "./plain-turns.ts";

it("a plain chat says from time to time how long a call has run, and the last line that it printed", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const stream = Object.assign(fakeStream(), { write: (text: string) => void written.push(text) });
  const turns = new PlainTurns(new PlainOutput(stream as never));
  const run = { id: "r", conversation: "c", step: 1, order: 0 };
  const event = (type: string, fields: object) => turns.event({ type, timestamp: 0, run, ...fields } as RunEvent);
  const call = { id: "1", name: "shell", args: { command: "npm run build" } };
  const result = { tool: "shell", status: "success", content: { exitCode: 0, stdout: "", stderr: "" } };

  event("tool_started", call);
  vi.advanceTimersByTime(9900);
  expect(written).toHaveLength(1);
  event("tool_progress", {
    ...call,
    update: { stream: "stdout", text: "step 1 of 2\nstep 2 \u001b[31mof\u001b[0m 2\n" },
  });
  vi.advanceTimersByTime(200);
  expect(written.slice(1)).toEqual(["call: shell npm run build: running for 10 s, the last line is: step 2 of 2\n"]);
  vi.advanceTimersByTime(20_000 + 30_000 + 120_000);
  expect(written.slice(2).map((line) => /running for ([^,]*)/.exec(line)?.[1])).toEqual([
    "30 s",
    "1 min 0 s",
    "2 min 0 s",
    "3 min 0 s",
  ]);
  const { length } = written;
  event("tool_ended", { ...call, started: true, outcome: "success", result, duration: 181 });
  expect(written).toHaveLength(length + 1);
  vi.advanceTimersByTime(600_000);
  expect(written).toHaveLength(length + 1);
});
