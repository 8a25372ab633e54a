import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chatPicture, textsOf } from "./chat-picture.ts";
import { chatRun, hasTerminal } from "./chat-terminal.ts";

it.skipIf(!hasTerminal)("shows what a chat shows now; else run `pnpm pictures`", async () => {
  const kept = readFileSync(new URL("../chat.svg", import.meta.url), "utf8");
  expect(textsOf(await chatRun(chatPicture))).toEqual(textsOf(kept));
});
