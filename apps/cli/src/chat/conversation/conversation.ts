import type { Plan } from "@cogency/plan/log";
import type { Attachment, Json, RunEvent } from "@cogency/protocol";
import type { ThinkingLevel } from "@cogency/provider";
import { messageOf } from "../../base/errors/message-of.ts";
import { redacted } from "../../base/errors/redacted.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { isAgentTool } from "../../base/tool-names.ts";
import { PlanTracker } from "../../person/plan/plan-tracker.ts";
import { keyModes, type Mode, modeOf } from "../../place/rules/mode.ts";
import type { ChosenModel, chooseModel } from "../../work/choose-model.ts";
import { commandLine } from "../../work/commands/open-commands.ts";
import { typedPart } from "../../work/commands/typed-part.ts";
import { knownWindow } from "../../work/compaction.ts";
import { endedText, openJobsFor } from "../../work/jobs.ts";
import { tellNews } from "../../work/mcp/server-news.ts";
import { type BackgroundAgent, BackgroundAgents } from "./background-agents.ts";
import { ChatSession, type SessionChoice } from "./chat-session.ts";
import type { ConversationView } from "./conversation-view.ts";
import { NextPrompt } from "./next-prompt.ts";
import { NoticeWatch } from "./notice-watch.ts";
import { Outputs } from "./outputs.ts";
import type { OwnCommand } from "./own-command.ts";
import { OwnCommands } from "./own-commands.ts";
import { pastOf } from "./past.ts";
import type { Person } from "./person.ts";
import { showPast } from "./show-past.ts";
import { Turns } from "./turns.ts";
import { UsageMeter } from "./usage-meter.ts";

/** What a name after a slash does. */
export interface NamedCommand {
  /** Whether it may be used while the agent works. */
  readonly anytime?: true;
  /** @throws UsageError */
  run(conversation: Conversation, argument: string): Promise<void> | void;
}

export interface ConversationOptions {
  choice: SessionChoice;
  /** Its name; a new one begins with the first prompt. */
  conversation: string;
  person: Person;
  view: ConversationView;
  /** Finds what is typed after a slash. @throws UsageError for a name that there is not */
  command: (name: string) => NamedCommand;
  /** Makes the model that the choice names. */
  choose?: typeof chooseModel;
}

/** What a view shows beside the events. */
export interface ConversationState extends Pick<Turns, "sending" | "steers" | "queue"> {
  readonly turn: Turns["current"];
  /** The command that the person runs. */
  readonly own: OwnCommand | undefined;
  /** How many commands run in the background, and the ports that are open to them. */
  readonly jobs: number;
  readonly ports: readonly number[];
  /** The agents that work in the background. */
  readonly agents: readonly BackgroundAgent[];
  /** `anthropic claude-5`; empty until it is known. */
  readonly model: string;
  readonly mode: Mode;
  /** The steps of the model, as they stand. */
  readonly plan: Plan | undefined;
  /** How much the model shall think; undefined for what it does by itself. */
  readonly think: ThinkingLevel | undefined;
  /** Tokens that the model's context takes; undefined if that is not known. */
  readonly window: number | undefined;
}

/**
 * A conversation of a person with the agent: takes what is typed, works in turns, and tells a view what happens. It knows no terminal
 * and no keys.
 *
 * INVARIANT: what was typed goes into the log, or back to the view, or is shown as not sent; it is never lost.
 */
export class Conversation {
  readonly session: ChatSession;
  readonly view: ConversationView;
  readonly outputs = new Outputs();
  usage = new UsageMeter();
  plans = new PlanTracker();
  /** Resolves when the person leaves. */
  readonly left: Promise<void>;
  readonly #left = Promise.withResolvers<void>();
  readonly #turns: Turns;
  readonly #next = new NextPrompt();
  readonly #own: OwnCommands;
  readonly #agents: BackgroundAgents;
  readonly #notices: NoticeWatch;
  readonly #stopFollowing: () => void;
  readonly #command: ConversationOptions["command"];
  #model = "";
  #chosen: ChosenModel | undefined;
  #modeChange: Promise<void> = Promise.resolve();

  constructor({ choice, conversation, person, view, command, choose }: ConversationOptions) {
    this.view = view;
    this.#command = command;
    this.left = this.#left.promise;
    const steering = {
      name: "steer",
      afterStep: (step: Parameters<Turns["afterStep"]>[0]) => this.#turns.afterStep(step),
    };
    const jobs = openJobsFor(choice, {
      warn: (text) => view.remark(text),
      send: async (to, notice) => (await this.session.open()).agent.send(to, notice),
    });
    this.session = new ChatSession(choice, conversation, person, { name: "chat", hooks: [steering] }, jobs, choose);
    this.session.onServers = (servers) => tellNews(servers, (line, kind) => view.remark(line, kind), { isChat: true });
    this.#turns = new Turns({
      session: this.session,
      next: this.#next,
      view,
      carryOut: (text) => this.#carryOut(text),
      onEvent: (event) => {
        this.#tell(event);
        this.#agents.event(event, this.session.conversation);
      },
      onAnswered: () => this.#notices.lookAgain(this.session.conversation),
      onFailure: (error, advice) => this.#fail(error, advice),
    });
    this.#agents = new BackgroundAgents({
      onEnd: (name) => view.remark(`The agent ${oneLine(name, 60)} in the background is done.`),
    });
    this.#notices = new NoticeWatch({
      store: () => this.session.store(),
      onNotice: (of) => void this.#attempt(() => this.#goOnWithNotice(of)),
    });
    this.#stopFollowing = this.session.jobs.onChange(() => view.changed());
    this.#own = new OwnCommands({
      folder: () => this.session.choice.root,
      view,
      onOutput: (line, output, ended) => this.#next.addOutput(line, output, ended),
    });
  }

  get state(): ConversationState {
    const { current: turn, sending, steers, queue } = this.#turns;
    const { choice } = this.session;
    const { current: own } = this.#own;
    return {
      turn,
      sending,
      steers,
      queue,
      own,
      jobs: this.session.jobs.of({ conversation: this.session.conversation }).filter(({ ended }) => ended === undefined)
        .length,
      ports: this.session.jobs.ports({ conversation: this.session.conversation }),
      agents: this.#agents.of(this.session.conversation),
      model: this.#model,
      mode: modeOf(choice),
      plan: this.plans.plan,
      think: choice.think,
      window: knownWindow(choice, this.#chosen),
    };
  }

  /** Opens the store and the model, and shows the last turns of a conversation that goes on. What fails is shown. */
  async load(): Promise<void> {
    await this.#attempt(() => this.#readLog());
    await this.#attempt(async () => void (await this.modelText()));
  }

  /**
   * Takes what was typed: a slash command, a command line after `!`, a prompt, or while the agent works a steer. While a command of the
   * person runs, a prompt waits for its output.
   */
  submit(typed: string): void {
    const text = typed.trim();
    if (text === "") return;
    if (this.#carryOut(text) === undefined) this.#say(text);
    this.view.changed();
  }

  /** Says what a command of the person or the project stands for, after the answer if the agent works. */
  sayCommand(line: string): void {
    if (this.#turns.current) this.later(line);
    else this.#say(line);
  }

  /** Says a text that is no command. */
  sayPrompt(text: string): void {
    this.#say(text);
    this.view.changed();
  }

  #say(text: string): void {
    // A picture goes with a prompt of its own: what is said in the middle of a turn is text.
    if (this.#turns.current && this.#next.pictures.in(text).length > 0) this.#turns.later(text);
    else if (this.#turns.current) this.#turns.steer(text);
    else if (this.#own.isBusy) this.#turns.later(text);
    else this.#turns.begin(text);
  }

  /** Takes what is said, or carried out, after the answer. */
  later(typed: string): void {
    const text = typed.trim();
    if (text === "") return;
    if (this.#turns.current) this.#turns.later(text);
    else this.submit(text);
    this.view.changed();
  }

  /** Takes back what was not sent yet; undefined if there is nothing. */
  takeBack(): string | undefined {
    return this.#turns.takeBack();
  }

  /** Cancels what goes on: a command of the person, with what waits for it, else the turn. Returns whether there was something. */
  cancel(by: string): boolean {
    if (!this.#own.stop()) return this.#turns.cancel(by);
    if (!this.#turns.current) this.#turns.giveBackUnsent();
    return true;
  }

  /** Goes on where the last turn broke off. */
  goOn(): void {
    if (!this.#turns.current) this.#turns.begin(undefined);
  }

  /** Begins a turn with what waits, unless the last one is open: the person decides whether that goes on, and the notice is read then. */
  async #goOnWithNotice(conversation: string): Promise<void> {
    const isHere = () => conversation === this.session.conversation && !this.#turns.current && !this.#own.isBusy;
    if (!isHere()) return;
    const log = await (await this.session.store()).load({ conversation });
    if (isHere() && pastOf(log, 1).open === undefined) this.goOn();
  }

  /** The person leaves. */
  leave(): void {
    this.#left.resolve();
  }

  /** Cancels what goes on, and closes the store. What was typed and not sent goes back to the view. */
  async close(): Promise<void> {
    const own = this.#own.close();
    await this.#turns.close();
    this.#notices.close();
    const agents = this.#agents.count;
    this.#stopFollowing();
    const [left, jobs] = await Promise.all([own, this.session.jobs.endAll()]);
    if (jobs > 0) this.view.remark(`${endedText(jobs)} with the chat.`);
    if (left > 0)
      this.view.remark(`${counted(left, "program")} of yours ${left === 1 ? "was" : "were"} ended with the chat.`);
    if (agents > 0)
      this.view.remark(
        `${counted(agents, "agent")} in the background ${agents === 1 ? "was" : "were"} interrupted. The model can go on with ${agents === 1 ? "it" : "them"} in the next chat.`,
      );
    await this.session.close();
  }

  /** Runs a slash command. What fails is shown. */
  command(name: string, argument = ""): Promise<void> {
    return this.#attempt(async () => {
      const command = this.#command(name);
      if (this.#turns.current && !command.anytime)
        return this.view.remark(`/${name} can be used when the turn has ended. Esc cancels it.`, "warning");
      await command.run(this, argument);
    });
  }

  /** Goes on to the next mode that can be used here, and says why one before it cannot. */
  nextMode(): Promise<void> {
    this.#modeChange = this.#modeChange.then(() => this.#attempt(() => this.#toNextMode()));
    return this.#modeChange;
  }

  async #toNextMode(): Promise<void> {
    const at = keyModes.indexOf(this.state.mode);
    for (const mode of [...keyModes.slice(at + 1), ...keyModes.slice(0, Math.max(0, at))]) {
      try {
        await this.session.setMode(mode);
        break;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        this.view.remark(error.message, "warning");
      }
    }
    this.view.changed();
  }

  /** The name of the model, for remarks. */
  async modelText(): Promise<string> {
    const { model } = await this.session.open();
    this.#chosen = model;
    this.#model = oneLine(`${model.provider.name} ${model.provider.model}`, 60);
    this.view.changed();
    return this.#model;
  }

  /**
   * Counts again what the log says was used: something was added to it outside of a turn.
   *
   * @param context tokens that the next request will hold, where that is known
   */
  async countAgain(context?: number): Promise<void> {
    const { conversation } = this.session;
    this.usage = UsageMeter.of(await (await this.session.store()).load({ conversation }));
    if (context !== undefined) this.usage.context = context;
    this.view.changed();
  }

  /** Goes on with another conversation, and shows its last turns unless `isShown` is false. */
  async goTo(conversation: string, { isShown = true } = {}): Promise<void> {
    const ended = await this.session.jobs.end({ conversation: this.session.conversation });
    if (ended > 0) this.view.remark(`${endedText(ended)} with the conversation that you leave.`);
    const dropped = this.session.conversation === conversation ? 0 : this.session.rules.clear();
    if (dropped > 0)
      this.view.remark(`${counted(dropped, "rule")} of this session ended with the conversation that you leave.`);
    this.session.conversation = conversation;
    await this.#readLog(isShown);
  }

  /** Attaches a file to the next prompt. @throws UsageError */
  async attach(path: string): Promise<void> {
    await this.#next.attach(path, this.session.choice.root);
    this.view.remark(`${path} goes with the next prompt.`);
  }

  /** Puts the mark of a picture into what is typed; where there is no such place, it goes with the next prompt. */
  paste(picture: Attachment): void {
    const mark = this.#next.pictures.add(picture);
    if (this.view.insert(mark)) return;
    this.#next.attachPicture(mark);
    this.view.remark(`The picture (${picture.mediaType}) goes with the next prompt.`);
  }

  /** What a person typed of a prompt in the log, with the pictures that were pasted into it. */
  typedAgain(content: string, attachments: readonly Attachment[]): string {
    const text = typedPart(content);
    this.#next.pictures.again(text, attachments);
    return text;
  }

  async #readLog(isShown = true): Promise<void> {
    const { conversation } = this.session;
    const log = await (await this.session.store()).load({ conversation });
    this.usage = UsageMeter.of(log);
    this.plans = new PlanTracker();
    this.view.changed();
    if (isShown) showPast(log, conversation, this.view, (event) => this.#tell(event));
    else this.view.remark(`Going on with ${conversation}.`);
    this.plans = PlanTracker.of(log);
    this.#notices.follow(conversation);
  }

  #tell(event: RunEvent): void {
    if (event.type === "metric") this.usage.add(event.step);
    if (event.type === "tool_ended" && isAgentTool(event.name)) this.#addAgent(event.result.content);
    this.outputs.event(event);
    this.view.event(event, this.plans.event(event));
  }

  #addAgent(content: Json): void {
    const { conversation, used } = (content ?? {}) as { conversation?: unknown; used?: unknown };
    this.usage.addAgent(conversation, used);
  }

  /** Carries out a slash command, or a command line of the person. Undefined for a prompt. */
  #carryOut(text: string): Promise<void> | undefined {
    const { name, given } = commandLine(text) ?? {};
    if (name !== undefined) return this.command(name, given);
    if (!text.startsWith("!")) return undefined;
    return this.#attempt(() => this.#own.run(text)).then(() => {
      if (!this.#own.isBusy) this.#turns.beginWithWaiting();
    });
  }

  /** What fails is shown, and the conversation goes on. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown, advice?: string): void {
    const message = redacted(error instanceof Error ? messageOf(error) : String(error));
    this.view.remark(advice === undefined ? message : `${message}\n${advice}`, "error");
  }
}
