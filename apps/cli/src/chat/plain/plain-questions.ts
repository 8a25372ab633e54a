import type { Json, RunEvent } from "@cogency/protocol";
import { exact } from "../../base/terminal/exact-text.ts";
import { widthOr } from "../../base/terminal/text.ts";
import type { DoubtedRequest, OfferedRule, PersonAnswer } from "../../person/approval/asker.ts";
import {
  lettersOf,
  noWords,
  refusal,
  ruledText,
  ruleKeys,
  ruleWords,
  termWords,
  typedAnswer,
  yesWords,
} from "../../person/approval/choices.ts";
import { questionRows } from "../../person/approval/question.ts";
import { pathText } from "../../person/show/agent-paths.ts";
import type { Person, PersonQuestion } from "../conversation/person.ts";
import { answerFields, answerOf } from "../questions/answer-fields.ts";
import { QuestionQueue } from "../questions/question-queue.ts";
import type { PlainOutput } from "./plain-output.ts";

/** Reads a line as an answer, and returns whether the question is settled with it. */
type Reader = (line: string) => boolean;

interface Open {
  readonly read: Reader;
  readonly since: number;
}

/** Milliseconds in which a line is not an answer: it was typed before the question could be read. */
const tooSoon = 500;

/** Puts questions as lines, one after another, and reads the answers from lines. All that will run is said before. */
export class PlainQuestions implements Person {
  readonly #output: PlainOutput;
  readonly #stream: NodeJS.WriteStream;
  readonly #now: () => number;
  readonly #queue = new QuestionQueue<Open>(() => {});
  readonly #closed = new AbortController();

  constructor(output: PlainOutput, stream: NodeJS.WriteStream, now = () => performance.now()) {
    this.#output = output;
    this.#stream = stream;
    this.#now = now;
  }

  canAnswer(): boolean {
    return !this.#closed.signal.aborted;
  }

  /** No answer can come any more. */
  close(): void {
    this.#closed.abort();
  }

  get isOpen(): boolean {
    return this.#queue.open !== undefined;
  }

  /** Takes a line that was typed while a question stands. */
  line(text: string): void {
    const { open } = this.#queue;
    if (!open) return;
    if (this.#now() - open.since < tooSoon)
      this.#output.say("question", "That line came before the question could be read. Answer it now.");
    else open.read(text.trim());
  }

  ask(request: DoubtedRequest, offered: readonly OfferedRule[]): Promise<PersonAnswer> {
    const rules = offered.slice(0, ruleKeys.length);
    const name = exact(request.call.name);
    return this.#put<PersonAnswer>(request, { approved: false }, (settle) => {
      this.#output.rows("question", questionRows(request, widthOr(this.#stream, 80), this.#stream, " | "));
      this.#output.say(
        "question",
        [
          "Allow it? Type one of these and press Enter:",
          `y = ${yesWords}`,
          ...rules.map(({ text }, at) => `${lettersOf(at)} = ${ruleWords} ${exact(text)}`),
          ...rules.slice(0, 1).map((rule) => `(${termWords(rule)})`),
          `n = ${noWords}`,
        ].join("\n"),
      );
      return (line) => {
        const answer = typedAnswer(line, rules);
        if (answer?.approved) {
          const { rule, term = "session" } = answer;
          this.#output.say("answer", rule ? exact(ruledText(rule, term)) : `Allowed: ${name}`);
          settle(answer);
        } else if (answer) {
          this.#output.say("answer", `Denied: ${name}${answer.why === "" ? "" : `, ${answer.why}`}`);
          settle({ approved: false, reason: refusal(answer.why) });
        } else {
          this.#output.say(
            "question",
            `That is no answer. Type y or n${rules.length > 0 ? ", or a letter from above" : ""}.`,
          );
          return false;
        }
        return true;
      };
    });
  }

  async answer(request: PersonQuestion): Promise<unknown> {
    const { call, agents = [], message, schema, problem } = request;
    const fields = answerFields(schema);
    const values: (Json | undefined)[] = [];
    const answer = await this.#put<unknown>(request, new Error("the question is closed."), (settle) => {
      this.#output.say("question", `${pathText(agents, call?.name ?? "Cogency")} asks: ${message}`);
      if (problem !== undefined) this.#output.say("question", `Not that: ${problem}`);
      const next = () => {
        const field = fields[values.length];
        if (!field) settle(answerOf(fields, values));
        else if (field.name !== undefined || field.hint !== "")
          this.#output.say("question", `${field.name ?? "Your answer"}${field.hint === "" ? "" : ` (${field.hint})`}`);
        return field === undefined;
      };
      next();
      return (line) => {
        const reading = fields[values.length]?.read(line);
        if (!reading) return true;
        if ("problem" in reading) {
          this.#output.say("question", `Not that: ${reading.problem}`);
          return false;
        }
        values.push(reading.value);
        this.#output.say("answer", reading.value === undefined ? "(left out)" : line);
        return next();
      };
    });
    if (answer instanceof Error) throw answer;
    return answer;
  }

  /** Whether a line was meant for a question that has just closed without it. */
  isLate(line: string): boolean {
    return this.#queue.isLate(line);
  }

  /** Says who answered a question that somebody answered elsewhere. Returns whether a person has settled one. */
  event(event: RunEvent): boolean {
    const settled = this.#queue.settled(event);
    if (settled?.text !== undefined) this.#output.say("answer", settled.text);
    return settled !== undefined;
  }

  #put<Answer>(
    request: { question: string; signal: AbortSignal },
    closed: Answer,
    open: (settle: (answer: Answer) => void) => Reader,
  ): Promise<Answer> {
    const signal = AbortSignal.any([request.signal, this.#closed.signal]);
    return this.#queue.put({ question: request.question, signal }, closed, (settle) => {
      const read = open(settle);
      return { read, since: this.#now() };
    });
  }
}
