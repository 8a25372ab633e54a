import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "./peer.ts";

export const codex: Peer = {
  name: "codex",
  from: { package: "@openai/codex", version: "0.171.0" },
  prepare({ home, project, url }) {
    mkdirSync(join(home, ".codex"), { recursive: true });
    writeFileSync(
      join(home, ".codex/config.toml"),
      `model = "mock"
model_provider = "mock"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
[analytics]
enabled = false
[projects."${project}"]
trust_level = "trusted"
`,
    );
  },
  env: () => ({ MOCK_KEY: "none" }),
  chat: ({ installed }) => [join(installed, "node_modules/.bin/codex")],
  oneShot: ({ installed }, prompt) => [
    join(installed, "node_modules/.bin/codex"),
    ...["exec", "--skip-git-repo-check", prompt],
  ],
  ready: /› /,
  question: { shows: /Would you like to|Press enter to confirm|Do you want to/, allow: "y" },
  call(wish) {
    const { name, args } = execCommand;
    if (wish.kind === "list") return { name, args: args(`ls -la ${wish.folder}`) };
    if (wish.kind === "read") return { name, args: args(`cat ${wish.file}`) };
    if (wish.kind === "edit") {
      const patch = `*** Begin Patch\n*** Update File: ${wish.file}\n@@\n-${wish.from}\n+${wish.to}\n*** End Patch`;
      return { name, args: args(`apply_patch <<'PATCH'\n${patch}\nPATCH`) };
    }
    // A command that has not ended within this time goes on in a session.
    return { name, args: args(wish.command, wish.kind === "background" ? 1000 : 30_000) };
  },
};

const execCommand = {
  name: "exec_command",
  args: (cmd: string, yieldTime = 30_000) => ({ cmd, yield_time_ms: yieldTime }),
};
