import { spawn } from "node:child_process";
import { request } from "node:http";
import type { LogEvent } from "@cogency/protocol";
import { sqliteStore } from "@cogency/storage-sqlite";
import { bin, type Place } from "../../harness/place.ts";

/** What a server answers. */
interface Answer {
  status: number;
  headers: string;
  body: string;
}

/** The page of a `cogency open` that runs, and what the browser that was let in has. */
export interface OpenedPage {
  /** As browsers name it. */
  host: string;
  origin: string;
  token: string;
  /** `name=value` */
  cookie: string;
  /** The secret path of the session, without a slash at the end. */
  path: string;
  /** Sends a request with exactly these headers beside `Host`, which they may replace. Reads at most a second of the answer. */
  ask(method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Answer>;
  /** Whether the conversation has got an event or a message. */
  wasWritten(): Promise<boolean>;
}

const conversation = "private";

/** Serves a conversation that holds the canary of the place, and lets one browser in. */
export async function openedPage(place: Place): Promise<OpenedPage> {
  const said: LogEvent = { type: "user", content: place.canary, timestamp: 1 };
  place.put("home/.cogency/.keep");
  const store = await sqliteStore({ path: place.store });
  place.onEnd(() => store.close());
  await store.append({ conversation }, [said]);

  const child = spawn(process.execPath, [bin, "open", "--no-browser", "--provider", "offline", "--sandbox", "off"], {
    cwd: place.root,
    env: { PATH: process.env.PATH, HOME: place.home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  place.onEnd(() => child.kill("SIGKILL"));
  let printed = "";
  for await (const chunk of child.stderr.setEncoding("utf8")) {
    printed += chunk;
    if (/one browser/.test(printed)) break;
  }
  const [, host = "", token = ""] = /Open http:\/\/([\d.:]+)\/#token=([\w-]+)/.exec(printed) ?? [];
  if (token === "") throw new Error(`cogency open did not begin: ${printed}`);
  const origin = `http://${host}`;

  const ask: OpenedPage["ask"] = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const sent = request(origin, { method, path, headers: { host, ...headers }, agent: false }, (response) => {
        // A stream of events does not end by itself.
        const timer = setTimeout(() => response.destroy(), 1000);
        let read = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          read += part;
        });
        response.on("error", () => {});
        response.once("close", () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, headers: JSON.stringify(response.headers), body: read });
        });
      });
      sent.once("error", reject);
      sent.end(body);
    });

  const entered = await ask("POST", "/session", { origin, authorization: `Bearer ${token}` });
  const [, cookie = ""] = /"set-cookie":\["([^;]+)/.exec(entered.headers) ?? [];
  const { path } = JSON.parse(entered.body) as { path: string };
  return {
    host,
    origin,
    token,
    cookie,
    path,
    ask,
    async wasWritten() {
      const events = await store.load({ conversation });
      return events.length > 1 || (await store.inbox({ conversation })).length > 0;
    },
  };
}

/** The requests that a page makes, below the path of its session. */
export const requests = {
  list: ["GET", "/api/conversations", undefined],
  events: ["GET", `/api/conversations/${conversation}/events`, undefined],
  message: [
    "POST",
    `/api/conversations/${conversation}/messages`,
    JSON.stringify({ id: "m", kind: "prompt", content: "Read notes.txt" }),
  ],
  fork: ["POST", `/api/conversations/${conversation}/fork`, "{}"],
} as const;

export type RequestName = keyof typeof requests;
