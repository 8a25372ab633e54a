import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Outcome } from "@tooling/checks/outcome";
import { checkInBrowser } from "./check-in-browser.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import type { Executable } from "./executable.ts";
import { settled } from "./settled.ts";
import { type OpenProcess, startOpen } from "./start-open.ts";

/**
 * Opens the link of `cogency open` in a browser: it lets one browser in, and neither a second one, nor a page of another port, nor
 * a foreign name that leads to the server.
 *
 * @param folder gets the profile of the browser and what the command keeps
 */
export function checkOpenCommand(executable: Executable | undefined, folder: string): Promise<Outcome> {
  return checkInBrowser({
    title: "cogency open, Chromium",
    note: "one browser comes in, also after its own restart; a second one, another port and a foreign name do not",
    executable,
    folder,
    flags: [`--host-resolver-rules=MAP ${foreignName} 127.0.0.1`],
    // What the browser and the server refuse to the other pages.
    expected: /frame-ancestors 'none'|CORS policy|Cross-Origin|Opener-Policy/,
    use: async ({ browser, processes, doing }) => {
      await openLink(browser, await startOpen(processes, folder, ["--provider", "offline"]), doing);
      if (executable)
        await restartBrowser(
          () => startChromium(processes, executable, join(folder, "kept")),
          doing,
          () => startOpen(processes, folder, ["--provider", "offline"]),
        );
    },
  });
}

/** The browser ends and starts again; the link that it has used, and the address of the page, still lead there. */
async function restartBrowser(
  start: () => Promise<Chromium>,
  doing: { what: string },
  startCommand: () => Promise<OpenProcess>,
): Promise<void> {
  doing.what = "a browser is let in, and ends";
  const { link, stop } = await startCommand();
  const first = await start();
  const page = await first.openKept(link);
  const path = await settled(page, `location.pathname.length > 40 && location.pathname`);
  const address = String(await page.until("location.href"));
  await first.quit();
  doing.what = "the browser has started again";
  const second = await start();
  for (const again of [link, address, new URL("/", link).href]) {
    const reopened = await second.openKept(again);
    equal(await settled(reopened, `location.pathname.length > 40 && location.pathname`), path);
    await reopened.until(`document.querySelector("#status")`);
  }
  await second.quit();
  await stop();
}

const foreignName = "evil.test";

async function openLink(
  browser: Chromium,
  { link, origin, stop }: OpenProcess,
  doing: { what: string },
): Promise<void> {
  doing.what = "a browser opens the link";
  const page = await browser.open(link);
  const path = String(await settled(page, `location.pathname.length > 40 && location.pathname`));
  const api = `${path}api/conversations`;
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token") ?? "";
  equal(await page.until(`"cookie " + document.cookie`), "cookie ");
  equal(
    await page.until(
      `JSON.stringify([location.href, document.referrer]).includes("${token}") ? "has it" : "has it not"`,
    ),
    "has it not",
  );
  equal(await page.until(`fetch("${api}").then(({ status }) => status)`), 200);

  doing.what = "it reloads, posts a message and follows the events";
  await page.reload();
  equal(await page.until(posted(`${api}/mine/messages`, `{ "content-type": "application/json" }`)), 202);
  equal(await page.until(firstEvent(`${api}/mine/events?view=log`)), "1");
  equal([...browser.errors].join("\n"), "");

  doing.what =
    "the same link, its address without the token, and the address of the page are opened again in this browser";
  for (const address of [link, `${origin}/`, String(await page.until("location.href"))]) {
    const again = await page.openBeside(address);
    equal(await settled(again, `location.pathname.length > 40 && location.pathname`), path);
    equal(await again.until(`fetch("${api}").then(({ status }) => status)`), 200);
  }

  doing.what = "a second browser opens the same link";
  const second = await browser.open(link);
  await second.until(`document.body.textContent.includes("used already")`);
  equal(await second.until(`fetch("${api}").then(({ status }) => status)`), 401);
  const thief = await browser.open(`${origin}${path}`);
  await thief.until(`document.body.textContent.includes("has not been let in")`);

  doing.what = "a foreign name leads to the server";
  const rebound = await browser.open(`${origin.replace("127.0.0.1", foreignName)}/`);
  await rebound.until(`document.body.textContent.includes("Open ${origin} instead.")`);

  doing.what = "a page of another port in the same browser asks for everything, although it knows the path";
  const cookies: unknown[] = [];
  const elsewhere = await listen((request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, { "content-type": "text/html" }).end("<title>elsewhere</title>");
  });
  try {
    await page.until(`(setTimeout(() => location.assign("${elsewhere.origin}")), "soon")`);
    await settled(page, `document.title === "elsewhere"`);
    const whole = `${origin}${api}`;
    for (const mode of ["cors", "no-cors"]) equal(await page.until(read(whole, mode)), "TypeError");
    equal(await page.until(firstEvent(`${whole}/mine/events`)), "refused");
    for (const type of ["application/json", "text/plain"]) {
      const mode = type === "text/plain" ? "no-cors" : "cors";
      equal(await page.until(posted(`${whole}/stolen/messages`, `{ "content-type": "${type}" }`, mode)), "TypeError");
    }
    equal(await page.until(framed(`${origin}/`)), "framed");
    const isRefused = () => [...browser.errors].some((text) => text.includes("frame-ancestors 'none'"));
    if (!isRefused()) throw new Error(`the entrance was shown in a frame: ${[...browser.errors].join("\n")}`);
    equal(
      cookies.some((cookie) => cookie !== undefined),
      false,
    );
  } finally {
    elsewhere.close();
  }

  doing.what = "the browser goes back to its page";
  await page.until(`(setTimeout(() => history.back()), "soon")`);
  await settled(page, `location.pathname === "${path}"`);
  equal(
    await page.until(
      `fetch("${api}").then((answer) => answer.json()).then((all) => all.map((one) => one.conversation).join())`,
    ),
    "mine",
  );

  doing.what = "cogency open ends";
  await stop();
}

/** Expressions for a page. Each resolves with a status or the name of an error. */
const caught = `.then(({ status }) => status || "opaque", ({ name }) => name)`;
const read = (address: string, mode: string) =>
  `fetch("${address}", { credentials: "include", mode: "${mode}" })${caught}`;
const posted = (address: string, headers: string, mode = "cors") =>
  `fetch("${address}", { method: "POST", credentials: "include", mode: "${mode}", headers: ${headers}, body: JSON.stringify({ id: "1", kind: "prompt", content: "hello" }) })${caught}`;
const firstEvent = (address: string) =>
  `new Promise((resolve) => {
    const source = new EventSource("${address}", { withCredentials: true });
    source.onmessage = ({ lastEventId }) => resolve(lastEventId);
    source.onerror = () => resolve("refused");
  }).finally(() => {})`;
const framed = (address: string) =>
  `new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = () => resolve("framed");
    frame.src = "${address}";
    document.body.append(frame);
  })`;

async function listen(listener: RequestListener): Promise<{ origin: string; close(): void }> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function equal(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`found ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
