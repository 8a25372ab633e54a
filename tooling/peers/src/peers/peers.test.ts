import { expect, it } from "vitest";
import { peers } from "./peers.ts";

const wishes = [
  { kind: "list", folder: "src" },
  { kind: "read", file: "/p/a.js" },
  { kind: "edit", file: "/p/a.js", from: "one", to: "two" },
  { kind: "shell", command: "npm test | tail" },
  { kind: "background", command: "node server.js" },
] as const;

it("pins the version of each peer", () => {
  for (const { name, from } of peers) if (name !== "cogency") expect(from?.version, name).toMatch(/^\d+\.\d+\.\d+$/);
});

it.each(peers.map((peer) => [peer.name, peer] as const))(
  "%s gets each wish as a call that names what is wished",
  (_name, peer) => {
    for (const wish of wishes) {
      const text = JSON.stringify(peer.call(wish, []));
      const { kind, ...words } = wish;
      for (const word of Object.values(words)) expect(text, kind).toContain(word);
    }
  },
);

it("starts a server in the background by the argument of the app where there is one, else by the shell", () => {
  const [ours] = peers;
  const wish = { kind: "background", command: "node server.js" } as const;
  const offered = (...takes: string[]) => ours?.call(wish, [{ name: "shell", takes }]).args;
  expect(offered("command", "background")).toEqual({ command: "node server.js", background: true });
  expect(offered("command")).toEqual({ command: "node server.js > server.log 2>&1 &" });
});
