import type { OpenedPage, RequestName } from "./opened-page.ts";

/** A request with something that is not as the page itself would send it. */
export type Intrusion = [
  name: string,
  requests: readonly RequestName[],
  headers: (page: OpenedPage) => Record<string, string>,
  path?: (page: OpenedPage) => string,
];

const reading: readonly RequestName[] = ["list", "events"];
const writing: readonly RequestName[] = ["message", "fork"];
const all: readonly RequestName[] = [...reading, ...writing];

export const intrusions: readonly Intrusion[] = [
  [
    "the name of another host, which leads here",
    all,
    ({ origin, cookie }) => ({ origin, cookie, host: "evil.example" }),
  ],
  [
    "the name of another host, and its origin",
    all,
    ({ cookie }) => ({ cookie, host: "evil.example", origin: "http://evil.example" }),
  ],
  [
    "the host localhost",
    all,
    ({ host, origin, cookie }) => ({ origin, cookie, host: `localhost:${host.split(":")[1]}` }),
  ],
  ["the origin of another site", all, ({ cookie }) => ({ cookie, origin: "https://evil.example" })],
  ["the origin of another port", all, ({ cookie }) => ({ cookie, origin: "http://127.0.0.1:1" })],
  ["the origin of this server over TLS", all, ({ host, cookie }) => ({ cookie, origin: `https://${host}` })],
  ["a hidden origin", all, ({ cookie }) => ({ cookie, origin: "null" })],
  ["no origin", writing, ({ cookie }) => ({ cookie })],
  ["the mark of another site", all, ({ origin, cookie }) => ({ cookie, origin, "sec-fetch-site": "cross-site" })],
  ["the mark of another port", all, ({ origin, cookie }) => ({ cookie, origin, "sec-fetch-site": "same-site" })],
  ["no cookie", all, ({ origin }) => ({ origin })],
  ["another cookie", all, ({ origin, cookie }) => ({ origin, cookie: `${cookie}x` })],
  [
    "the token in the place of the cookie",
    all,
    ({ origin, cookie, token }) => ({ origin, cookie: cookie.replace(/=.*/, `=${token}`) }),
  ],
  ["the token as a credential", all, ({ origin, token }) => ({ origin, authorization: `Bearer ${token}` })],
  ["no path", all, ({ origin, cookie }) => ({ origin, cookie }), () => ""],
  [
    "a path that begins like that of the session",
    all,
    ({ origin, cookie }) => ({ origin, cookie }),
    ({ path }) => `${path}x`,
  ],
  ["a path with dots", all, ({ origin, cookie }) => ({ origin, cookie }), () => "/x/.."],
];
