import { type WebPage, webPage } from "./web-page.ts";

/** Where a token is exchanged for a cookie. */
export const sessionPath = "/session";

/** The fragment of an address that lets a browser in. A fragment is not sent to a server, and no Referer has it. */
export function fragmentOf(token: string, conversation: string | undefined): string {
  const shown = conversation === undefined ? "" : `&conversation=${encodeURIComponent(conversation)}`;
  return `#token=${token}${shown}`;
}

/**
 * The page at the door: it holds nothing private, so everybody may have it. It takes the token out of the address, exchanges it for the
 * cookie and goes on to the page itself.
 */
export function entrance(): WebPage {
  return webPage({
    style: "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1rem; }",
    body: '<main><h1>Cogency</h1><p id="state" role="status">Opening…</p><noscript>Allow this page to run its script.</noscript></main>',
    script: `
const tell = (text) => { document.getElementById("state").textContent = text; };
const given = new URLSearchParams(location.hash.slice(1));
const token = given.get("token");
if (token === null) tell("This page needs a link of its own. Run cogency open, and open the link that it prints.");
else {
  history.replaceState(null, "", location.pathname);
  fetch("${sessionPath}", { method: "POST", headers: { authorization: "Bearer " + token } }).then(
    async (answer) => {
      const { path, message } = await answer.json();
      if (!answer.ok) return tell(message);
      const conversation = given.get("conversation");
      location.replace(path + "/" + (conversation === null ? "" : "#" + encodeURIComponent(conversation)));
    },
    () => tell("cogency open cannot be reached. Does it still run?"),
  );
}
`,
  });
}
