import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ModelServer } from "../model/serve-model.ts";
import type { Mode, Peer, Place } from "../peers/peer.ts";
import { endMarked, markName, newMark } from "../processes.ts";
import { openTerminal, type Terminal } from "../terminal.ts";

/** One peer at its place, from which its processes are started and known again. */
export interface Session {
  readonly peer: Peer;
  readonly place: Place;
  readonly server: ModelServer;
}

/** Processes that were started together. */
export interface Started {
  readonly mark: string;
  readonly env: Record<string, string>;
}

/** What a process of this peer finds in its environment, with a mark that no other has. */
export function start({ peer, place }: Session): Started {
  const mark = newMark();
  const path = [dirname(process.execPath), process.env.PATH ?? ""].join(":");
  const terminal = { TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/bash" };
  const env = { HOME: place.home, PATH: path, ...terminal, ...peer.env(place), [markName]: mark };
  mkdirSync(join(place.home, "tmp"), { recursive: true });
  return { mark, env };
}

/** Opens a chat and gives it to `use` when a prompt can be typed. Every process of it is ended afterwards. */
export async function chat<Result>(
  session: Session,
  { options }: Pick<Mode, "options">,
  use: (terminal: Terminal, mark: string, startSeconds: number) => Promise<Result>,
): Promise<Result> {
  const { peer, place } = session;
  const { mark, env } = start(session);
  const begun = performance.now();
  const terminal = openTerminal([...peer.chat(place), ...options], place.project, env);
  try {
    await terminal.shows(peer.ready, 60_000);
    return await use(terminal, mark, (performance.now() - begun) / 1000);
  } finally {
    await terminal.hangUp();
    await endMarked(mark);
  }
}

/** Types a prompt and sends it: the key comes by itself, so that it is not taken for a part of what was pasted. */
export async function send(terminal: Terminal, prompt: string): Promise<void> {
  terminal.type(prompt);
  await terminal.shows(new RegExp(prompt), 10_000);
  terminal.type("\r");
}
