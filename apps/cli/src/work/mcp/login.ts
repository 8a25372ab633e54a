import { join } from "node:path";
import { type OAuthLogin, oauth } from "@cogency/mcp";
import { tokenFile } from "@cogency/mcp/node";
import { configurationFolder } from "../../base/configuration-folder.ts";

/** Where the logins of servers are kept; only this user can read it. */
export function loginFile(): string {
  return join(configurationFolder(), "mcp-logins.json");
}

/** The login of this person at an address. Nothing opens a browser but its `login`. */
export function loginFor(url: string): OAuthLogin {
  return oauth({ server: url, store: tokenFile(loginFile()), client: { name: "cogency" } });
}
