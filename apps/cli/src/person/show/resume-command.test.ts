import { expect, it } from "vitest";
import { changedOptions } from "../../place/config/typed-words.ts";
import { defaultStore } from "../../place/store/store-path.ts";
import { resumeCommand } from "./resume-command.ts";

it.each([
  ["c", defaultStore(), "cogency --resume c"],
  ["it's mine", defaultStore(), String.raw`cogency --resume 'it'\''s mine'`],
  ["c", "a b/c.db", "cogency --resume c --store 'a b/c.db'"],
  ["$(id)", defaultStore(), "cogency --resume '$(id)'"],
  ["c", "postgres://me:canary@db:5432/app?sslpassword=canary", "cogency --resume c --store postgres://db:5432/app"],
])(
  "The command for %j in %j is one that a shell reads as it is, without a password",
  (conversation, place, command) => {
    expect(resumeCommand(conversation, place)).toBe(command);
  },
);

it("says again what was typed, and nothing that belongs to one prompt", () => {
  const typed = {
    ...{
      model: "tiny",
      baseUrl: "http://localhost:1/v1",
      allow: ["read", "shell:git status"],
      tools: ["read", "list"],
    },
    ...{ readOnly: true, contextFiles: false, maxSteps: 4, prices: undefined },
    ...{ attach: ["a.png"], schema: "a.json", json: true, conversation: "c", store: "elsewhere.db" },
  };
  expect(resumeCommand("c", defaultStore(), typed)).toBe(
    "cogency --resume c --model tiny --base-url http://localhost:1/v1 --allow read --allow 'shell:git status' --tools 'read,list' --read-only --no-context-files --max-steps 4",
  );
});

it("says what was chosen since, in the place of what was typed", () => {
  const typed = { provider: "openai", baseUrl: "http://localhost:1/v1", yes: true };
  const before = { ...typed, driver: "protocol", store: "a.db" };
  const now = { provider: "anthropic", model: "claude-5", driver: "native", store: "a.db", deny: true };
  expect(resumeCommand("c", defaultStore(), { ...typed, ...changedOptions(before, now) })).toBe(
    "cogency --resume c --provider anthropic --driver native --model claude-5 --deny",
  );
});

it.each([{ yes: true }, { mode: "yes" }])("does not say again that everything runs without a question: %o", (typed) => {
  expect(resumeCommand("c", defaultStore(), { ...typed, model: "tiny" })).toBe("cogency --resume c --model tiny");
});
