import type { OAuthLogin } from "@cogency/mcp";
import { loopback } from "@cogency/mcp/node";
import { browserCommand, openBrowser } from "../../base/open-browser.ts";

/**
 * Lets a person log in: opens their browser, and waits until it comes back. Where there is no desktop, or it does not open, the address
 * that is told can be opened by hand on this machine.
 *
 * @param tell shows a line to the person
 * @throws LoginError; the reason of the signal
 */
export async function logIn(login: OAuthLogin, tell: (line: string) => void, signal: AbortSignal): Promise<void> {
  let removeFile = async () => {};
  await using consent = await loopback({
    async open({ href }) {
      tell(`To log in, in a browser on this machine, open: ${href}`);
      const command = browserCommand();
      // Without a place for its file, the address that is told is enough.
      if (command) removeFile = await openBrowser(command, href).catch(() => async () => {});
    },
  });
  try {
    await login.login(consent, { signal });
  } finally {
    await removeFile();
  }
}
