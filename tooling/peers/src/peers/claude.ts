import { join } from "node:path";
import type { Peer } from "./peer.ts";
import { writeJson } from "./write-json.ts";

export const claude: Peer = {
  name: "claude",
  from: { package: "@anthropic-ai/claude-code", version: "2.1.197" },
  prepare({ home, project }) {
    writeJson(join(home, ".claude.json"), {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: "2.1.197",
      theme: "dark",
      autoUpdates: false,
      customApiKeyResponses: { approved: ["none"], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    });
  },
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
  }),
  chat: ({ installed }) => [join(installed, "node_modules/.bin/claude"), "--model", "mock"],
  oneShot: ({ installed }, prompt) => [
    join(installed, "node_modules/.bin/claude"),
    ...["--model", "mock", "-p", prompt],
  ],
  trusting: ["--allowedTools", "Bash(echo:*)", "Read"],
  ready: /❯\s/,
  question: { shows: /Do you want to [^?]*\?[\s\S]*1\. Yes/, allow: "1" },
  call(wish) {
    if (wish.kind === "list") return { name: "Bash", args: { command: `ls -la ${wish.folder}` } };
    if (wish.kind === "read") return { name: "Read", args: { file_path: wish.file } };
    if (wish.kind === "edit")
      return { name: "Edit", args: { file_path: wish.file, old_string: wish.from, new_string: wish.to } };
    const isBackground = wish.kind === "background";
    return { name: "Bash", args: { command: wish.command, ...(isBackground && { run_in_background: true }) } };
  },
};
