import { expect, it } from "vitest";
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
