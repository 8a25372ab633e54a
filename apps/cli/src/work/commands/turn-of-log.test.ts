import type { LogEvent } from "@cogency/protocol";
import { expect, it } from "vitest";
import { turnOfLog } from "./turn-of-log.ts";

const commands = {
  expand: async (line: string) =>
    ({ turn: line.startsWith("/look") ? { allow: ["write"], readOnlyBut: ["shell:ls"] } : { allow: [] } }) as never,
};
const said = (content: string, origin?: string) => ({ type: "user", content, ...(origin && { origin }), timestamp: 1 });
const ended = { type: "record", kind: "run", data: {}, timestamp: 1 };

it.each([
  ["a command that changes nothing", [said("/look here\n\nLook.")], true],
  ["one of a project", [said("/look\n\nLook.", "untrusted")], true],
  ["one whose turn was stopped", [said("/look"), ended], true],
  ["one in whose middle the person said more", [said("/look"), said("And there.")], true],
  ["another prompt after its turn", [said("/look"), ended, said("Mend it.")], false],
  ["a command that may change something", [said("/fix")], false],
  ["a notice that begins like one", [said("Go."), said("/look", "notice")], false],
  ["nothing", [], false],
])("forbids what the turn of %s forbids, and allows nothing", async (_, log, forbids) => {
  const found = await turnOfLog(log as unknown as LogEvent[], commands);
  expect(found).toEqual(forbids ? { allow: [], readOnlyBut: ["shell:ls"] } : undefined);
});
