import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chatPicture } from "./chat-picture.ts";
import { chatRun } from "./chat-terminal.ts";
import { tracePicture } from "./trace-picture.ts";

// `pnpm pictures`: has a chat with the offline model, and writes the pictures of the README at the top: the chat, and its trace.
const folder = mkdtempSync(join(tmpdir(), "trace-"));
try {
  await chatRun(async (run) => {
    writeFileSync(new URL("../chat.svg", import.meta.url), chatPicture(run));
    writeFileSync(new URL("../trace.png", import.meta.url), await tracePicture(run, folder));
  });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
