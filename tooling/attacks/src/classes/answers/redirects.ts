export interface Redirect {
  name: string;
  provider: "chat" | "responses" | "anthropic" | "google" | "realtime";
  status: number;
  /** Returns the target, given the port of this server and that of the other one. */
  to: (own: number, other: number) => string;
}

export const redirects: Redirect[] = [
  ...([301, 302, 303, 307, 308] as const).flatMap((status) =>
    (["chat", "anthropic", "google"] as const).map(
      (provider): Redirect => ({
        name: `${status} to another port`,
        provider,
        status,
        to: (_, other) => `http://127.0.0.1:${other}/v1/x`,
      }),
    ),
  ),
  {
    name: "307 to another name of the same machine",
    provider: "chat",
    status: 307,
    to: (_, other) => `http://localhost:${other}/v1/x`,
  },
  {
    name: "308 to another name at the same port",
    provider: "responses",
    status: 308,
    to: (own) => `http://localhost:${own}/elsewhere`,
  },
  { name: "307 without a scheme", provider: "responses", status: 307, to: (_, other) => `//127.0.0.1:${other}/v1/x` },
  {
    name: "307 with a user",
    provider: "chat",
    status: 307,
    to: (own, other) => `http://127.0.0.1:${own}@127.0.0.1:${other}/x`,
  },
  { name: "307 by way of itself", provider: "chat", status: 307, to: () => "/v1/again" },
  {
    name: "302 of the handshake",
    provider: "realtime",
    status: 302,
    to: (_, other) => `ws://127.0.0.1:${other}/v1/realtime`,
  },
  {
    name: "307 of the handshake",
    provider: "realtime",
    status: 307,
    to: (_, other) => `http://127.0.0.1:${other}/v1/realtime`,
  },
];
