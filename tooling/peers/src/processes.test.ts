import { spawn } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { endMarked, markedProcesses, markName, newMark } from "./processes.ts";

it("finds the processes of a mark and what they started, also with another environment, and ends them", async () => {
  const mark = newMark();
  const env = { ...process.env, [markName]: mark };
  const child = spawn("sh", ["-c", "env -i sleep 1000 & sleep 1000"], { env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const found = () => markedProcesses(mark).map(({ words }) => words);
  await expect
    .poll(found)
    .toEqual(expect.arrayContaining([expect.stringContaining("sh -c"), "sleep 1000", "sleep 1000"]));
  expect(markedProcesses(mark).every(({ memory }) => memory > 0)).toBe(true);
  await endMarked(mark);
  expect(found()).toEqual([]);
});

it("does not find the processes of another mark", () => {
  expect(markedProcesses(newMark())).toEqual([]);
});
