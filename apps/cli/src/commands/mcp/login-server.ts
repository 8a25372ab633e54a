import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { complain } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { put } from "../../base/terminal/output.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { stateText } from "../../work/mcp/state-text.ts";
import { connected, type ServersOptions, serversHere, unknownServer, withServers } from "./with-servers.ts";

/**
 * `cogency mcp login`: lets a person log in to a server in their browser, and connects to it.
 *
 * @returns the exit code: 1 if the login failed
 * @throws UsageError for a server that there is not, or that takes no login
 */
export async function loginServer(name: string, options: ServersOptions, cancellation: Cancellation): Promise<number> {
  const { loginFor } = await import("../../work/mcp/login.ts");
  const { logIn } = await import("../../work/mcp/log-in.ts");
  const url = await addressNamed(name, options);
  const { isLoginError } = await import("@cogency/mcp");
  try {
    await cancellation.during((signal) => logIn(loginFor(url), tell, signal));
  } catch (error) {
    if (cancellation.exitCode !== exitCodes.done) return cancellation.exitCode;
    if (!isLoginError(error)) throw error;
    complain(`You are not logged in to ${name}. ${error.message}`);
    if (error.code === "unsupported")
      note(
        `It may want a key in place of a login. Keep it with cogency config key set <NAME>, and add the server anew with --header 'Authorization: Bearer \${NAME}'.`,
      );
    return exitCodes.unexpected;
  }
  const [view] = await withServers(options, name, (servers) =>
    cancellation.during((signal) => connected(servers, signal)),
  );
  await put(`${name}: ${view ? stateText(view) : "logged in"}\n`);
  return view?.status === "ready" ? exitCodes.done : exitCodes.unexpected;
}

/** `cogency mcp logout`: forgets the login here. @throws UsageError for a server that there is not, or that takes no login */
export async function logoutServer(name: string, options: ServersOptions): Promise<void> {
  const { loginFor } = await import("../../work/mcp/login.ts");
  const login = loginFor(await addressNamed(name, options));
  const { isLoggedIn } = await login.status();
  await login.logout();
  note(
    isLoggedIn
      ? `The login of ${name} is forgotten here. The server was not told.`
      : `You were not logged in to ${name}.`,
  );
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
  note("It goes on here when the browser has come back. Ctrl-C ends it.");
}

async function addressNamed(name: string, options: ServersOptions): Promise<string> {
  const { project, found } = await serversHere(options);
  const server = found.servers.find((one) => one.name === name);
  if (!server) throw unknownServer(name, found, project);
  const { loginAddress } = await import("../../work/mcp/server-options.ts");
  const address = await loginAddress(server);
  if ("url" in address) return address.url;
  throw new UsageError(oneLine(`The server ${name} takes no login: ${address.reason}`, 400));
}
