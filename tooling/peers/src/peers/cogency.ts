import { join } from "node:path";
import { workspaceRoot } from "@tooling/checks/workspace";
import type { Peer } from "./peer.ts";

export const cogency: Peer = {
  name: "cogency",
  prepare() {},
  env: () => ({ OPENAI_API_KEY: "none" }),
  chat: ({ url }) => [...command, "chat", ...model(url)],
  oneShot: ({ url }, prompt) => [...command, "run", ...model(url), prompt],
  trusting: ["--allow", "shell:echo **", "--ask-after-steps", "1000"],
  ready: /ready/,
  question: { shows: /wants to run[\s\S]*\by\b/, allow: "y" },
  call(wish, offered) {
    if (wish.kind === "list") return { name: "list", args: { path: wish.folder } };
    if (wish.kind === "read") return { name: "read", args: { file: wish.file } };
    if (wish.kind === "edit")
      return { name: "edit", args: { file: wish.file, edits: [{ old: wish.from, new: wish.to }] } };
    if (wish.kind === "shell") return { name: "shell", args: { command: wish.command } };
    const takes = offered.find(({ name }) => name === "shell")?.takes ?? [];
    return takes.includes("background")
      ? { name: "shell", args: { command: wish.command, background: true } }
      : { name: "shell", args: { command: `${wish.command} > server.log 2>&1 &` } };
  },
  modes: [
    { name: "ask", options: [] },
    { name: "edits", options: ["--mode", "edits"] },
    { name: "sandboxed", options: ["--mode", "sandboxed"] },
    { name: "read-only", options: ["--read-only"] },
  ],
};

const command = [process.execPath, join(workspaceRoot, "apps/cli/bin/cogency.cjs")];

function model(url: string): string[] {
  return ["--provider", "openai", "--api", "chat", "--base-url", `${url}/v1`, "--model", "mock", "--driver", "native"];
}
