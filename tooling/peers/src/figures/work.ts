import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { said } from "../model/reply.ts";
import type { Mode, Wish } from "../peers/peer.ts";
import { markedProcesses } from "../processes.ts";
import { answerQuestions } from "./answer-questions.ts";
import { writeProject } from "./project.ts";
import { chat, type Session, send } from "./session.ts";

/** How a peer did a piece of work. */
export interface Work {
  /** The steps that had their effect. */
  readonly done: readonly string[];
  /** The steps that had none: refused, or failed. */
  readonly undone: readonly string[];
  readonly questions: number;
  /** What was still running three seconds after the terminal was closed: the program and the first word of each. */
  readonly left: readonly string[];
}

/** One call of a step; a step may have several. */
interface Call {
  readonly step: string;
  readonly wish: Wish;
  /** Whether it had its effect, by the result that the model got and by what is there when it asks again. */
  readonly happened: (heard: string, running: readonly string[]) => boolean;
}

/** Eight steps of a day's work in a small project with a failing test; each question is answered with yes. */
export async function work(session: Session, mode: Mode, port: number): Promise<Work> {
  const { peer, place } = session;
  writeProject(place.project, port);
  const calls = callsOf(place.project, port);
  const steps = new Set(calls.map(({ step }) => step));
  let mark = "";
  let begun = 0;
  let isOver = false;
  const running = () =>
    markedProcesses(mark).flatMap(({ program, words }) => (program === "script" ? [] : [shortened(words)]));
  const happened: boolean[] = [];
  session.server.model = ({ said: all, tools }) => {
    const heard = all.filter(({ by }) => by === "tool").at(-1)?.text ?? "";
    const before = calls[begun - 1];
    if (before) happened.push(before.happened(heard, running()));
    const call = calls[begun];
    if (!call) {
      isOver = true;
      return said("The work is done.");
    }
    begun++;
    return { kind: "call", call: peer.call(call.wish, tools) };
  };
  return chat(session, mode, async (terminal, started) => {
    mark = started;
    await send(terminal, "Work on this project");
    const late = AbortSignal.timeout(60_000);
    const questions = await answerQuestions(peer, terminal, () => isOver || late.aborted);
    if (begun === 0) throw new Error(`it made no request and showed:\n${terminal.screen()}`);
    await setTimeout(500);
    await terminal.hangUp();
    await setTimeout(3000);
    const failed = new Set(calls.flatMap(({ step }, index) => (happened[index] ? [] : [step])));
    return { done: [...steps].filter((step) => !failed.has(step)), undone: [...failed], questions, left: running() };
  });
}

/** The first two words of a command line, without the folder of the program. */
function shortened(words: string): string {
  const [program = "", ...rest] = words.split(" ");
  return [basename(program), ...rest.slice(0, 1)].join(" ");
}

function callsOf(project: string, port: number): Call[] {
  const shell = (command: string): Wish => ({ kind: "shell", command });
  const file = join(project, "src/sum.js");
  const text = (name: string) => (existsSync(join(project, name)) ? readFileSync(join(project, name), "utf8") : "");
  const line = (operator: string) => `export const sum = (left, right) => left ${operator} right;`;
  const fetched = `curl -s --retry 3 --retry-delay 1 --retry-connrefused --max-time 5 http://127.0.0.1:${port}/`;
  return [
    {
      step: "list and read",
      wish: { kind: "list", folder: "src" },
      happened: (heard) => heard.includes("sum.js"),
    },
    {
      step: "list and read",
      wish: { kind: "read", file },
      happened: (heard) => heard.includes(line("-")),
    },
    {
      step: "grep | head",
      wish: shell("grep -rn foo src | head -5"),
      happened: (heard) => heard.includes("src/sum.js:1:"),
    },
    {
      step: "edit",
      wish: { kind: "edit", file, from: line("-"), to: line("+") },
      happened: () => text("src/sum.js").includes(line("+")),
    },
    {
      step: "npm test",
      wish: shell("npm test 2>&1 | tail -20"),
      // One test passes now, the other one still fails.
      happened: (heard) => /1 == 2|fail 1$/m.test(heard),
    },
    {
      step: "server",
      wish: { kind: "background", command: "node server.js" },
      happened: (_heard, running) => running.some((words) => words === "node server.js"),
    },
    { step: "curl", wish: shell(fetched), happened: (heard) => heard.includes("hello from the server") },
    {
      step: "heredoc",
      wish: shell("cat > notes.txt <<'EOF'\nIt's \"done\".\nEOF"),
      happened: () => text("notes.txt").includes('It\'s "done".'),
    },
    { step: "rm -rf", wish: shell("rm -rf build"), happened: () => !existsSync(join(project, "build")) },
  ];
}
