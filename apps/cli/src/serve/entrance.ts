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
 *
 * A browser that was let in remembers where the page is, so that the same link, or the address without it, leads there again. Unlike a
 * cookie, what is remembered belongs to this port alone, and it opens nothing without the cookie.
 */
export function entrance(): WebPage {
  return webPage({
    style: "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1rem; }",
    body: '<main><h1>Cogency</h1><p id="state" role="status">Opening…</p><noscript>Allow this page to run its script.</noscript></main>',
    script: `
const tell = (text) => { document.getElementById("state").textContent = text; };
const given = new URLSearchParams(location.hash.slice(1));
const token = given.get("token");
const conversation = given.get("conversation");
const goTo = (path) => location.replace(path + "/" + (conversation === null ? "" : "#" + encodeURIComponent(conversation)));
const remember = (path) => { try { localStorage.setItem("path", path); } catch {} };
const remembered = () => {
  try {
    const path = localStorage.getItem("path") ?? "";
    // Another program may have had this port before.
    return location.pathname === "/" && /^\\/[\\w-]{43}$/.test(path) ? path : undefined;
  } catch {
    return undefined;
  }
};
const enter = async () => {
  if (token === null) {
    const path = remembered();
    return path ? goTo(path) : tell("This browser has not been let in. Press Enter where cogency open runs, or start it again, and open the link that it prints.");
  }
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("${sessionPath}", { method: "POST", headers: { authorization: "Bearer " + token } });
  const { path, message } = await answer.json();
  if (answer.ok) remember(path);
  const place = answer.ok ? path : remembered();
  return place ? goTo(place) : tell(message);
};
enter().catch(() => tell("cogency open cannot be reached. Does it still run?"));
`,
  });
}
