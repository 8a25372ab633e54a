import { describe, expect, it } from "vitest";
import { asideOf, failedCommand, laterOf, outputOf } from "./output-of.ts";

const failure = (content: string) => ({ id: "a", tool: "shell", status: "failure", content }) as const;
const aside = "set aside: AGENTS.md, stdout:\nPrograms outside the sandbox obey files of these names.";
const later = "runs later: package.json (scripts)\nPrograms will obey these files: tell the person.";
const both = `set aside: AGENTS.md\n${later}`;

describe("the output of a failed command", () => {
  it.each([
    ["what it printed alone", "exit code 1\nstdout:\none\nstderr:\ntwo", "one\nstderr:\ntwo", []],
    ["nothing of what was set aside", `exit code 1\n${aside}\nstdout:\none`, "one", []],
    ["nothing of what was set aside, if it printed nothing", `ended by SIGKILL\n${aside}`, "", []],
    ["nothing of what runs later", `exit code 2\n${later}\nstderr:\ntwo`, "two", ["package.json (scripts)"]],
    ["nothing of either", `exit code 2\n${both}\nstderr:\ntwo`, "two", ["package.json (scripts)"]],
    ["nothing of either, if it printed nothing", `exit code 2\n${both}`, "", ["package.json (scripts)"]],
    ["what it printed that only looks like it", "exit code 1\nstdout:\nset aside: x\ny", "set aside: x\ny", []],
  ])("has %s", (_, content, printed, files) => {
    expect(outputOf(failure(content))).toBe(printed);
    expect(failedCommand(content)?.ending).toBe(content.split("\n")[0]);
    expect(laterOf(failure(content))).toEqual(files);
    const isAside = content.split("\n")[1]?.startsWith("set aside: ") === true;
    expect(asideOf(failure(content))?.startsWith("AGENTS.md")).toBe(isAside || undefined);
  });
});
