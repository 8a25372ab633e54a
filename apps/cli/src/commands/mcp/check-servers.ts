import { statSync } from "node:fs";
import { isLoginError } from "@cogency/mcp";
import { tokenFile } from "@cogency/mcp/node";
import { userConfigFile } from "../../place/config/config-file.ts";
import { holdsSecret } from "../../place/mcp/holds-secret.ts";
import { loginFile } from "../../work/mcp/login.ts";
import type { ServerView } from "../../work/mcp/servers.ts";
import { stateText } from "../../work/mcp/state-text.ts";
import type { Finding } from "../finding.ts";
import { type ServersOptions, serversHere, withServers } from "./with-servers.ts";

/** Milliseconds that servers may take to connect. */
const patience = 10_000;

/** The MCP servers that count here, and the files that they are in. Nothing is said where there are none. */
export async function checkMcpServers(options: ServersOptions): Promise<Finding[]> {
  const { project, found } = await serversHere(options);
  const ignored: Finding[] =
    found.ignored.length === 0
      ? []
      : [
          {
            about: "mcp",
            state: "note",
            text: `${found.ignored.join(", ")}: not looked at, because this folder is not trusted`,
            mend: `To look at them: cogency trust ${project.top}`,
          },
        ];
  const problems = found.problems.map((text): Finding => ({ about: "mcp", state: "note", text }));
  if (found.servers.length === 0) return [...ignored, ...problems];
  const views = await withServers(options, undefined, async ({ mcp, views }) => {
    await mcp?.connect({ signal: AbortSignal.timeout(patience) });
    return views();
  });
  return [...views.map(findingOf), ...ignored, ...problems, ...fileFindings(found.servers), ...(await loginFindings())];
}

function findingOf(view: ServerView): Finding {
  const text = `${view.name}: ${view.status === "connecting" ? `did not connect within ${patience / 1000} s` : stateText(view)}`;
  switch (view.status) {
    case "ready":
    case "disabled":
      return { about: "mcp", state: "ok", text };
    case "needs_login":
      return { about: "mcp", state: "note", text };
    default:
      return {
        about: "mcp",
        state: "fault",
        text,
        ...(view.isTried && { mend: `Its log: cogency mcp logs ${view.name}` }),
      };
  }
}

function fileFindings(
  servers: readonly { readonly entry: Parameters<typeof holdsSecret>[0]; readonly isOwn: boolean }[],
): Finding[] {
  if (!servers.some(({ entry, isOwn }) => isOwn && holdsSecret(entry))) return [];
  const file = userConfigFile();
  const isOpen = process.platform !== "win32" && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  const mend = `Keep it with cogency config key set <NAME>, and write \${NAME} in its place.`;
  const text = `${file} holds what looks like a key${isOpen ? ", and others can read it" : ""}`;
  return [{ about: "mcp", state: isOpen ? "fault" : "note", text, mend }];
}

async function loginFindings(): Promise<Finding[]> {
  try {
    await tokenFile(loginFile()).load({ server: "https://example.com" });
    return [];
  } catch (error) {
    if (!isLoginError(error)) throw error;
    return [{ about: "mcp", state: "fault", text: error.message, mend: `Remove ${loginFile()}, and log in again.` }];
  }
}
