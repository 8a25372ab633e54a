import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { RunEvent } from "@cogency/protocol";
import { isPersisted } from "@cogency/protocol/host";
import type { StoredEvent } from "@cogency/storage";
import { expect } from "vitest";
import { jsonLines, type Place } from "../support/command-line.ts";
import { type PseudoTerminal, pseudoTerminal } from "../support/pseudo-terminal.ts";
import { ChatWindow } from "./chat-window.ts";
import { type After, type Asked, type Break, Chooser, type Meanwhile, type Turn } from "./day.ts";
import { ExpectedState } from "./expected-state.ts";
import {
  differences,
  modelIn,
  readingIn,
  readingOf,
  saidAndDone,
  unlike,
  withoutProofs,
  withoutRun,
  withoutSeq,
  wordsIn,
} from "./laws.ts";
import { modelServer } from "./model-server.ts";
import { Page } from "./page.ts";
import { StoredLogs } from "./stored-logs.ts";
import { until } from "./until.ts";
import {
  answerOf,
  asideOf,
  createdBy,
  effectOf,
  emptyLedger,
  heard,
  ledger,
  nameOf,
  programs,
  promptOf,
  queuedOf,
  steerOf,
} from "./words.ts";

/** Keys count as an answer only if none came just before: a person reads the question first. */
const untilQuiet = () => setTimeout(600);

interface OpenQuestion {
  readonly id: string;
  readonly call: string;
}

interface Parts {
  place: Place;
  day: readonly Turn[];
  seed: number;
  stored: StoredLogs;
  model: Awaited<ReturnType<typeof modelServer>>;
  /** Requests that no log explains. */
  unexplained: readonly string[];
}

/** Begins a day in a folder, with a server that speaks for the model. */
export async function beginDay(place: Place, day: readonly Turn[], seed: number): Promise<WorkDay> {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(place.folder, name), text);
  writeFileSync(join(place.folder, ledger), emptyLedger);
  const stored = new StoredLogs(place.store);
  const unexplained: string[] = [];
  const model = await modelServer(day, (request) => {
    const reading = readingIn(request);
    const logs = stored.names().map((name) => readingOf(stored.log(name)));
    if (!logs.includes(reading)) unexplained.push(unlike(reading, logs));
  });
  return new WorkDay({ place, day, seed, stored, model, unexplained });
}

/** Does what a day plans with the real app, and looks after each turn whether all is as it must be. */
export class WorkDay {
  readonly #parts: Parts;
  readonly #any: Chooser;
  readonly #expected: ExpectedState;
  /** What the page has seen, by conversation. */
  readonly #seen = new Map<string, StoredEvent[]>();
  readonly #chats: ChatWindow[] = [];
  #conversation = "day";
  #page: { page: Page; followed: Set<string> } | undefined;
  #attached: { terminal: PseudoTerminal; conversation: string } | undefined;
  /** Commands that run beside, and what they must have printed. */
  #watching: Promise<void>[] = [];
  #posted = 0;
  #model = "day-1";

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#any = new Chooser(parts.seed);
    this.#expected = new ExpectedState(parts.place.folder, parts.stored);
  }

  /** Does one turn, and all that belongs to it. */
  async turn(turn: Turn): Promise<void> {
    const before = new Map(this.#expected.files);
    if (turn.break?.in === "answer") this.#parts.model.hold(turn.name);
    if (turn.trouble) this.#parts.model.fail(turn.name);
    await this.#prepare(turn);
    const { ended } = await this.#prompt(turn);
    await this.#calls(turn);
    if (turn.break?.in === "answer") {
      await until(`${turn.name} is in the middle of its answer`, () => this.#parts.model.isHeld(turn.name));
      if (turn.from === "chat") await this.#chat.shows(new RegExp(`^${turn.name} begins\\.$`, "m"));
      await this.#break(turn, turn.break);
    }
    if (turn.break?.next !== "nothing") await this.#answers(turn);
    await Promise.all([ended, ...this.#watching.splice(0)]);
    await this.#chat.isReady();
    if (turn.from === "chat") this.#shown(turn);
    if (turn.from === "chat" && !turn.break) expect(modelIn(this.#log)).toBe(this.#model);
    this.#expected.check();
    if (turn.after) await this.#after(turn, turn.after, before);
    this.#expected.check();
  }

  /** Ends the day. */
  async end(): Promise<void> {
    await this.#chat.leave();
    if (this.#attached) await this.#detach(this.#attached.terminal);
    const { place, stored, unexplained } = this.#parts;
    const problems = [...unexplained];
    for (const [name, seen] of this.#seen) {
      const log = stored.log(name);
      if (this.#page?.followed.has(name)) await until(`the page has all of ${name}`, () => seen.length >= log.length);
      problems.push(...differences(`the page, ${name}`, seen, log.slice(0, seen.length)));
    }
    await this.#closePage();
    const { stdout } = await place.cogency(["history", "export", "--raw", ...this.#expected.said.keys()]);
    const exported = jsonLines<{ type: string; conversation?: string }>(stdout);
    const expected = [...this.#expected.said.keys()].flatMap((name) => [name, ...withoutProofs(stored.log(name))]);
    const got = exported.map((line) => (line.type === "conversation" ? line.conversation : line));
    problems.push(...differences("the export", got, expected));
    const known = [...this.#expected.said.values()].flat().flatMap((said) => [`> ${said}`, ...answerOf(nameOf(said))]);
    for (const chat of this.#chats) problems.push(...chat.problems(known));
    problems.push(...stored.unread().map((message) => `unread: ${JSON.stringify(message)}`));
    expect(problems).toEqual([]);
    expect(stored.damage()).toEqual(["ok"]);
  }

  get #chat(): ChatWindow {
    const chat = this.#chats.at(-1);
    if (!chat) throw new Error("There is no chat yet.");
    return chat;
  }

  get #log(): StoredEvent[] {
    return this.#parts.stored.log(this.#conversation);
  }

  get #options(): string[] {
    const server = ["--provider", "openai", "--api", "chat", "--base-url", this.#parts.model.url, "--model", "tiny"];
    return [...server, "--model", this.#model, "--allow", "shell"];
  }

  async #prepare({ from, calls, break: broken, meanwhile }: Turn): Promise<void> {
    const places = calls.flatMap((call) => ("asked" in call ? [call.asked.where] : []));
    const needsPage =
      from === "page" ||
      places.includes("page") ||
      meanwhile?.where === "page" ||
      broken?.by === "page cancel" ||
      broken?.next === "the page goes on";
    const needsAttached = places.includes("attach") || meanwhile?.where === "attach";
    // The page would go on with what was killed, as soon as the answer comes.
    if (broken?.by === "kill" && broken.in === "question" && broken.next === "/continue") await this.#closePage();
    await Promise.all([
      this.#chats.length === 0 && this.#openChat(),
      needsPage && this.#openPage(),
      needsAttached && this.#expected.said.size > 0 && this.#attach(),
    ]);
    this.#follow();
  }

  async #openChat(): Promise<void> {
    const isFirst = this.#expected.said.size === 0;
    const latest = this.#parts.stored.names({ latestFirst: true })[0];
    const which = isFirst
      ? ["--conversation", "day"]
      : latest === this.#conversation
        ? ["-c"]
        : ["--resume", this.#conversation];
    const kind = this.#chats.length % 2 === 0 ? "xterm" : "tmux";
    this.#chats.push(new ChatWindow(this.#parts.place, [...which, ...this.#options], kind));
    await this.#chat.isReady();
    if (!isFirst) await this.#chat.shows(/^Going on with /m);
  }

  async #openPage(): Promise<Page> {
    this.#page ??= { page: await Page.open(this.#parts.place, this.#options), followed: new Set() };
    return this.#page.page;
  }

  async #closePage(): Promise<void> {
    const page = this.#page?.page;
    this.#page = undefined;
    if (page) expect(await page.close()).toBe(130);
  }

  /** The page follows the conversation, as it does when it shows one. */
  #follow(): void {
    if (!this.#page || this.#page.followed.has(this.#conversation)) return;
    this.#page.followed.add(this.#conversation);
    const seen = this.#seen.get(this.#conversation) ?? [];
    this.#seen.set(this.#conversation, seen);
    this.#page.page.follow(this.#conversation, seen, 3 + this.#any.below(40));
  }

  async #attach(): Promise<PseudoTerminal> {
    if (this.#attached?.conversation === this.#conversation) return this.#attached.terminal;
    if (this.#attached) await this.#detach(this.#attached.terminal);
    const terminal = pseudoTerminal(this.#parts.place, ["attach", this.#conversation]);
    this.#attached = { terminal, conversation: this.#conversation };
    await terminal.shows(/idle|working|Allow it/);
    return terminal;
  }

  async #detach(terminal: PseudoTerminal): Promise<void> {
    this.#attached = undefined;
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(0);
  }

  /** Says the prompt. What it returns resolves when the command that says it has ended. */
  async #prompt(turn: Turn): Promise<{ ended: Promise<void> }> {
    const prompt = promptOf(turn);
    this.#expected.hears(this.#conversation, prompt);
    const ended = Promise.resolve();
    if (turn.from === "chat") this.#chat.say(prompt);
    else if (turn.from === "page") await this.#post({ kind: "prompt", content: prompt });
    else return { ended: this.#oneShot(prompt) };
    await until(
      `${turn.name} is in the log`,
      () => wordsIn(this.#log).includes(prompt),
      () => this.#chat.text,
    );
    return { ended };
  }

  /** Makes sure that each call of the turn can go on, until it is broken off. */
  async #calls(turn: Turn): Promise<void> {
    for (const [at, call] of turn.calls.entries()) {
      const isLast = at === turn.calls.length - 1;
      if ("asked" in call) {
        const question = await this.#question();
        if (isLast && turn.break?.in === "question") return this.#break(turn, turn.break, question);
        await this.#answer(question, call.asked, call.does === "edit" ? `\\+ ${turn.name}` : createdBy(turn));
        if (call.asked.no === undefined) this.#expected.writes(turn, call.does);
        continue;
      }
      const line = effectOf(turn, at);
      this.#expected.effects.push(line);
      if (call.does !== "hold") continue;
      await until(
        `${line} runs`,
        () => this.#expected.effectsDone.includes(line),
        () => this.#chat.text,
      );
      if (isLast && turn.break?.in === "call") await this.#break(turn, turn.break);
      if (turn.isWatched) this.#watching.push(this.#watch());
      if (turn.meanwhile) await this.#meanwhile(turn, turn.meanwhile);
      writeFileSync(join(this.#parts.place.folder, `released-${line}`), "");
    }
  }

  /** Waits for the question that is open. */
  #question(): Promise<OpenQuestion> {
    return until(
      "a question is open",
      () => {
        const asked = new Map<string, OpenQuestion>();
        for (const event of this.#log) {
          if (event.type === "result") asked.clear();
          if (event.type !== "record") continue;
          if (event.kind === "question") asked.set(event.data.id, event.data);
          if (event.kind === "approval" && event.data.status !== "asked") asked.delete(String(event.data.question));
        }
        return asked.values().next().value;
      },
      () => this.#chat.text,
    );
  }

  /** @param shown what the question shows */
  async #answer({ id }: OpenQuestion, { where, no }: Asked, shown: string): Promise<void> {
    const asks = new RegExp(`${shown}[^]*^Allow it\\?`, "m");
    const { place } = this.#parts;
    if (where === "chat") {
      await this.#chat.shows(asks);
      await untilQuiet();
      this.#chat.terminal.type(no === undefined ? "y" : "n");
      if (no !== undefined) {
        await this.#chat.shows(/^Why not\?/m);
        this.#chat.say(no);
      }
    } else if (where === "command") {
      const verb = no === undefined ? ["approve"] : ["deny", "--reason", no];
      const { code, stderr } = await place.cogency([...verb, this.#conversation, id.slice(0, 8)]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
    } else if (where === "page") {
      await this.#post({
        kind: no === undefined ? "approve" : "deny",
        question: id,
        ...(no !== undefined && { reason: no }),
      });
    } else {
      const terminal = await this.#attach();
      await until(
        "the attached terminal asks",
        () => asks.test(terminal.lines().join("\n")),
        () => terminal.lines().join("\n"),
      );
      await untilQuiet();
      terminal.type(no === undefined ? "y\r" : `no, ${no}\r`);
    }
    await until(
      `the answer from ${where} is in the log`,
      () =>
        this.#log.some(
          (event) =>
            event.type === "record" &&
            event.kind === "approval" &&
            event.data.question === id &&
            event.data.status !== "asked",
        ),
      () => `${this.#chat.text}\n${this.#attached?.terminal.lines().join("\n")}`,
    );
  }

  /** A browser that did not hear the answer posts again: the same message twice is one. */
  async #post(message: { kind: string } & Record<string, string>): Promise<void> {
    const page = await this.#openPage();
    this.#follow();
    await page.post(this.#conversation, { id: `page-${++this.#posted}`, ...message }, this.#any.of(1, 2));
  }

  async #meanwhile(turn: Turn, { what, where }: Meanwhile): Promise<void> {
    const text = what === "steer" ? steerOf(turn) : queuedOf(turn);
    if (where === "page") await this.#post({ kind: "steer", content: text });
    else if (where === "attach") (await this.#attach()).type(`${text}\r`);
    else {
      this.#chat.terminal.type(`${text}${what === "steer" ? "\r" : "\u001b\r"}`);
      await this.#chat.shows(what === "steer" ? /^next: /m : /^later: /m);
    }
    if (where !== "chat") await until(`${text} is sent`, () => this.#parts.stored.unread().length > 0);
    this.#expected.hears(this.#conversation, text);
  }

  /** Breaks the turn off, and lets it go on. */
  async #break(turn: Turn, { by, next, in: where }: Break, question?: OpenQuestion): Promise<void> {
    const { place } = this.#parts;
    if (by === "kill") {
      await this.#chat.kill();
      const asked = turn.calls.findLast((call) => "asked" in call);
      if (question && asked && "asked" in asked) {
        if (next === "the page goes on") await this.#post({ kind: "approve", question: question.id });
        else
          expect(await place.cogency(["approve", this.#conversation, question.id.slice(0, 8)])).toMatchObject({
            code: 0,
          });
        this.#expected.writes(turn, asked.does);
      }
      if (next === "the page goes on") await this.#answers(turn, { isAgain: true });
      await this.#openChat();
      if (next === "/continue") this.#chat.say("/continue");
      return;
    }
    if (by === "Ctrl-C") this.#chat.terminal.type("\u0003");
    else if (by === "page cancel") await this.#post({ kind: "cancel" });
    else expect(await place.cogency(["cancel", this.#conversation])).toMatchObject({ code: 0 });
    const prompt = promptOf(turn);
    await until(
      `${turn.name} is cancelled in its ${where}`,
      () => {
        const log = this.#log;
        return log
          .slice(log.findLastIndex((event) => event.type === "user" && event.content === prompt))
          .some(({ type }) => type === "cancelled");
      },
      () => this.#chat.text,
    );
    await this.#chat.isReady();
    if (next === "/continue") this.#chat.say("/continue");
  }

  /** Waits until all that was said in the turn is answered. */
  async #answers(turn: Turn, { isAgain = false } = {}): Promise<void> {
    const names = [turn.name, ...(turn.meanwhile?.what === "queue" ? [nameOf(queuedOf(turn))] : [])];
    await until(
      `${names.join(" and ")} are answered`,
      () => {
        const log = this.#log;
        const last = log.findLastIndex(
          (event) => event.type === "respond" && event.content.includes(`${names.at(-1)} ends.`),
        );
        return last >= 0 && log.slice(last).some((event) => event.type === "record" && event.kind === "run");
      },
      () => `${this.#chat.text}\n${JSON.stringify(this.#log.slice(-8), undefined, 1)}`,
    );
    if (isAgain) return;
    this.#expected.answers(this.#conversation, ...names);
  }

  /** What the chat has to show of the turn. */
  #shown(turn: Turn): void {
    const { meanwhile, break: broken } = turn;
    const begun = `> ${promptOf(turn)}`;
    if (broken?.next === "nothing") {
      this.#chat.expect(begun, ...(broken.in === "answer" ? [`${turn.name} begins.`] : []));
      return;
    }
    const steer = meanwhile?.what === "steer" ? steerOf(turn) : undefined;
    this.#chat.expect(begun, ...(steer === undefined ? [] : [`> ${steer}`]), ...answerOf(turn.name));
    if (steer !== undefined) this.#chat.expect(heard(steer));
    const queued = queuedOf(turn);
    if (meanwhile?.what === "queue") this.#chat.expect(`> ${queued}`, ...answerOf(nameOf(queued)));
  }

  /** A process of its own says the prompt, and prints all events. */
  async #oneShot(prompt: string, conversation = this.#conversation): Promise<void> {
    const { place, stored } = this.#parts;
    const before = stored.log(conversation).length;
    const { code, stdout, stderr } = await place.cogency([
      "run",
      "--conversation",
      conversation,
      "--json",
      ...this.#options,
      prompt,
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const printed = jsonLines<RunEvent>(stdout).flatMap((event) =>
      isPersisted(event.type) ? [withoutRun(event)] : [],
    );
    const log = stored.log(conversation).slice(before);
    expect(
      differences(
        "--json",
        printed,
        log.flatMap((event) => (event.type === "record" ? [] : [withoutSeq(event)])),
      ),
    ).toEqual([]);
  }

  /** Another terminal prints the events of the run as they are stored, until no run is at work. */
  async #watch(): Promise<void> {
    const { place, stored } = this.#parts;
    const conversation = this.#conversation;
    const { code, stdout } = await place.cogency(["attach", conversation, "--json"]);
    expect(code).toBe(0);
    const events = jsonLines<StoredEvent>(stdout);
    const first = (events[0]?.seq ?? 1) - 1;
    expect(events[0]).toMatchObject({ type: "user" });
    expect(events.at(-1)).toMatchObject({ type: "record", kind: "run" });
    expect(differences("attach --json", events, stored.log(conversation).slice(first, first + events.length))).toEqual(
      [],
    );
  }

  async #after({ name, ...turn }: Turn, after: After, before: ReadonlyMap<string, string>): Promise<void> {
    const { place, stored } = this.#parts;
    const conversation = this.#conversation;
    const log = this.#log;
    const undone = () => this.#expected.undoes(before);
    switch (after) {
      case "/undo":
        this.#chat.say("/undo");
        await until(
          "the files are as before",
          () => this.#expected.read(ledger) === before.get(ledger),
          () => this.#chat.text,
        );
        await this.#chat.shows(/This can be taken back/);
        return undone();
      case "rewind --files":
        expect(await place.cogency(["rewind", conversation, "--files", "--yes"])).toMatchObject({ code: 0 });
        return undone();
      case "rewind": {
        const { code, stdout } = await place.cogency(["rewind", conversation, "--yes"]);
        const [, fork = ""] = /cogency --resume (\S+)/.exec(stdout) ?? [];
        expect({ code, fork }).toEqual({ code: 0, fork: expect.stringMatching(/^\S+$/) });
        const said = this.#expected.said.get(conversation) ?? [];
        this.#expected.forks(conversation, fork, said.slice(0, said.indexOf(promptOf({ name }))));
        expect(this.#log).toEqual(log);
        return undone();
      }
      case "/fork":
      case "/fork and back": {
        const known = new Set(stored.names());
        this.#chat.say("/fork");
        const fork = await until(
          "there is a fork",
          () => stored.names().find((other) => !known.has(other)),
          () => this.#chat.text,
        );
        await this.#chat.shows(new RegExp(`^This is a copy\\.\\s+/resume\\s+${conversation}\\s`, "m"));
        this.#chat.turnTo();
        this.#expected.forks(conversation, fork, this.#expected.said.get(conversation) ?? []);
        expect(saidAndDone(stored.log(fork))).toEqual(saidAndDone(log));
        if (after === "/fork") this.#conversation = fork;
        else {
          this.#chat.say(`/resume ${conversation}`);
          await this.#chat.shows(new RegExp(`^Going on with ${fork}\\.[^]*^Going on with ${conversation}\\.`, "m"));
          this.#chat.turnTo();
        }
        return;
      }
      case "fork and run": {
        const fork = `${conversation.slice(0, 20)}-${name}`;
        expect(await place.cogency(["fork", conversation, "--as", fork])).toMatchObject({
          code: 0,
          stdout: `${fork}\n`,
        });
        expect(saidAndDone(stored.log(fork))).toEqual(saidAndDone(log));
        this.#expected.forks(conversation, fork, this.#expected.said.get(conversation) ?? []);
        const aside = asideOf({ name, ...turn });
        this.#expected.hears(fork, aside);
        await this.#oneShot(aside, fork);
        this.#expected.answers(fork, nameOf(aside));
        // Neither knows of the other.
        return expect(this.#log).toEqual(log);
      }
      case "/model":
        this.#model = this.#model === "day-1" ? "day-2" : "day-1";
        this.#chat.say(`/model ${this.#model}`);
        return this.#chat.shows(new RegExp(`^> ${promptOf({ name })}$[^]*^model \\S+ ${this.#model}$`, "m"));
      case "resize":
        return this.#chat.terminal.resize(60 + this.#any.below(60), 20 + this.#any.below(25));
      case "new chat":
        expect(await this.#chat.leave()).toBe(0);
        return this.#openChat();
    }
  }
}
