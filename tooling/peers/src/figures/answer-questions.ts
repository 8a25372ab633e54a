import { setTimeout } from "node:timers/promises";
import type { Peer } from "../peers/peer.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Allows what a peer asks about, as a person would: it reads for a second, then presses the key. Counts the questions until `isOver`
 * says so.
 */
export async function answerQuestions({ question }: Peer, terminal: Terminal, isOver: () => boolean): Promise<number> {
  let questions = 0;
  while (!isOver()) {
    await setTimeout(100);
    if (!question.shows.test(terminal.screen())) continue;
    await setTimeout(1000);
    questions++;
    const asked = terminal.screen();
    terminal.type(question.allow);
    // The next question is another one only if something has changed.
    for (let waited = 0; waited < 50 && terminal.screen() === asked; waited++) await setTimeout(100);
    await setTimeout(300);
  }
  return questions;
}
