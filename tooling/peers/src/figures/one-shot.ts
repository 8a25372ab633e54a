import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { median } from "@tooling/bench";
import { said } from "../model/reply.ts";
import { endMarked } from "../processes.ts";
import { type Session, start } from "./session.ts";

const answer = "Everything is as it should be.";

/** Seconds of a prompt that is answered without a tool, from start to end of the program: the median of five after one that does not count. */
export async function oneShot(session: Session): Promise<number> {
  session.server.model = () => said(answer);
  await once(session);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await once(session));
  return median(times);
}

async function once(session: Session): Promise<number> {
  const { peer, place } = session;
  const { mark, env } = start(session);
  const [file = "", ...words] = peer.oneShot(place, "How is everything?");
  const begun = performance.now();
  const child = spawn(file, words, { cwd: place.project, env, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("exit", () => resolve((performance.now() - begun) / 1000));
  });
  try {
    // What it leaves running may hold its output open: that is ended first.
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const seconds = await ended;
    await endMarked(mark);
    const [out, errors] = await output;
    if (!out.includes(answer)) throw new Error(`a prompt got no answer: ${(errors || out).trim().slice(-200)}`);
    return seconds;
  } finally {
    await endMarked(mark);
  }
}
