import { describe, expect, it } from "vitest";
import type { Conversation } from "../conversation/conversation.ts";
import { completions } from "./completions.ts";

describe("the suggestions for a command", () => {
  const conversation = { session: { choice: { root: "." } } } as Conversation;
  const values = async (typed: string) => {
    const given = await completions(conversation).getSuggestions([typed], 0, typed.length, {
      signal: new AbortController().signal,
    });
    return given?.items.map(({ value }) => value.trim());
  };

  it("begin with the command that was typed whole, which Enter takes", async () => {
    expect(await values("/mode")).toEqual(["/mode", "/model"]);
    expect(await values("/mo")).toEqual(["/model", "/mode"]);
  });

  it("are none for a name that no command begins with", async () => {
    expect(await values("/zzz")).toBeUndefined();
  });
});
