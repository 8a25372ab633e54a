import { compaction } from "@cogency/agent/history";
import { nearestNames } from "@cogency/tools";
import { UsageError } from "../errors/usage-error.ts";
import { findConversation } from "../setup/store/find-conversation.ts";
import { when } from "../show/when.ts";
import { oneLine, visible, wordWrapped } from "../terminal/text.ts";
import type { Chat } from "./chat.ts";
import { outputOf } from "./turn-view.ts";

/** What can be typed after a slash. */
export interface SlashCommand {
  readonly name: string;
  /** What may follow the name, such as `[name]`. */
  readonly argument?: string;
  readonly help: string;
  /** Whether it may be used while a turn goes on. */
  readonly anytime?: true;
  run(chat: Chat, argument: string): Promise<void> | void;
}

const drivers = ["protocol", "native", "react", "auto"] as const;

export const slashCommands: readonly SlashCommand[] = [
  {
    name: "help",
    help: "what can be typed",
    anytime: true,
    run(chat) {
      const names = slashCommands.map(
        ({ name, argument = "", help }) => [`/${name} ${argument}`.trim(), help] as const,
      );
      chat.list([...names, ...keys]);
    },
  },
  {
    name: "model",
    argument: "[provider] [name]",
    help: "which model answers from now on; the conversation goes on",
    async run(chat, argument) {
      const [first, second] = argument.split(/\s+/).filter(Boolean);
      if (first === undefined) return chat.remark(await chat.modelText());
      await chat.session.change(second === undefined ? { model: first } : { provider: first, model: second });
      chat.remark(await chat.modelText());
    },
  },
  {
    name: "driver",
    argument: drivers.join("|"),
    help: "how the model is asked",
    async run(chat, argument) {
      const driver = drivers.find((name) => name === argument);
      if (driver) await chat.session.change({ driver });
      else if (argument !== "") throw new UsageError(`There is no driver ${visible(argument)}: ${drivers.join(", ")}.`);
      chat.remark(`driver ${chat.session.choice.driver}`);
    },
  },
  {
    name: "mode",
    argument: "ask|yes|deny",
    help: "whether calls that need permission ask, run, or are denied",
    async run(chat, argument) {
      if (argument === "ask") await chat.session.change({ yes: undefined, deny: undefined } as object);
      else if (argument === "yes") await chat.session.change({ yes: true, deny: undefined } as object);
      else if (argument === "deny") await chat.session.change({ yes: undefined, deny: true } as object);
      else if (argument !== "") throw new UsageError(`There is no mode ${visible(argument)}: ask, yes, deny.`);
      chat.remark(`mode ${chat.mode()}`);
    },
  },
  {
    name: "tools",
    help: "what the model may call",
    async run(chat) {
      const { tools } = await chat.session.open();
      chat.list(tools.map(({ name, description }) => [name, oneLine(description.split(/\.\s/)[0] ?? "", 200)]));
    },
  },
  {
    name: "history",
    argument: "[count]",
    help: "the latest conversations",
    anytime: true,
    async run(chat, argument) {
      const limit = Math.min(200, Math.max(1, Number(argument) || 15));
      const found = await (await chat.session.store()).conversations({ limit });
      if (found.length === 0) return chat.remark("There is no conversation yet.");
      chat.list(
        found.map(({ conversation, updatedAt, title }) => [oneLine(conversation, 40), `${when(updatedAt)}  ${title}`]),
      );
    },
  },
  {
    name: "resume",
    argument: "<conversation>",
    help: "go on with another conversation, by its id, how that begins, or words of its title",
    async run(chat, argument) {
      if (argument === "") throw new UsageError("Which one? /resume <conversation>; /history shows them.");
      const store = await chat.session.store();
      await chat.goTo(await findConversation(argument, store, chat.session.place));
    },
  },
  {
    name: "new",
    help: "begin another conversation",
    run: (chat) => chat.goTo(crypto.randomUUID()),
  },
  {
    name: "fork",
    argument: "[events]",
    help: "try another way: a copy of the conversation, or of its first events, which goes on by itself",
    async run(chat, argument) {
      const at = argument === "" ? undefined : Number(argument);
      if (at !== undefined && !Number.isInteger(at)) throw new UsageError("/fork takes a number of events.");
      const { agent } = await chat.session.open();
      const fork = await agent.fork(chat.session.conversation, { at });
      chat.remark(`A copy of ${oneLine(chat.session.conversation, 60)}, which stays as it is.`);
      await chat.goTo(fork);
    },
  },
  {
    name: "compact",
    help: "sum up the earlier part of the conversation before the next request",
    async run(chat) {
      const room = Math.max(8000, chat.usage.context * 4);
      await chat.session.sumUp(compaction({ window: room, at: 0.01, keep: 0 }));
      chat.isSummingUp = true;
      chat.remark("The earlier part is summed up before the next request.");
    },
  },
  {
    name: "budget",
    argument: "[steps <count>|cost <amount>|seconds <seconds>]",
    help: "what the conversation has used, and the limits of a turn",
    async run(chat, argument) {
      const [name = "", value = ""] = argument.split(/\s+/);
      const option = { steps: "maxSteps", cost: "maxCost", seconds: "maxSeconds" }[name];
      if (argument !== "") {
        if (!option || !(Number(value) > 0))
          throw new UsageError("/budget steps 40, /budget cost 0.5 or /budget seconds 60.");
        await chat.session.change({ [option]: Number(value) });
      }
      const { maxSteps = 20, maxCost, maxSeconds = 600 } = chat.session.choice;
      const cost = maxCost === undefined ? "no limit of cost" : `cost ${maxCost}`;
      chat.remark(`used: ${chat.usage.text()}\na turn: ${maxSteps} steps, ${maxSeconds} s, ${cost}`);
    },
  },
  {
    name: "show",
    argument: "[number]",
    help: "all of the output of the last call, or of the one so many before it",
    anytime: true,
    run(chat, argument) {
      const result = chat.view.results.at(-1 - (Number(argument) || 0));
      if (!result) return chat.remark("No call has ended in this chat yet.");
      const text = outputOf(result) || JSON.stringify(result.content, undefined, 2) || "";
      chat.view.lines((columns) =>
        visible(text)
          .split("\n")
          .flatMap((line) => wordWrapped(line, columns)),
      );
    },
  },
  {
    name: "thinking",
    help: "what the model thought last",
    anytime: true,
    run: (chat) => chat.remark(chat.view.thoughts.trim() || "The model has not thought aloud yet."),
  },
  {
    name: "export",
    argument: "<file>",
    help: "write the conversation to a new file, without what looks like a secret",
    async run(chat, argument) {
      if (argument === "") throw new UsageError("Where to? /export <file>");
      if (chat.session.place === ":memory:")
        throw new UsageError("This conversation is in memory only, so it cannot be exported.");
      const { exportHistory } = await import("../commands/history/export.ts");
      const { signal } = new AbortController();
      await exportHistory([chat.session.conversation], { store: chat.session.place, output: argument }, signal);
    },
  },
  {
    name: "attach",
    argument: "<path>",
    help: "attach an image or a PDF file to the next prompt, as @picture.png in it does",
    run: (chat, argument) => chat.attach(argument),
  },
  { name: "quit", help: "leave; the conversation stays", anytime: true, run: (chat) => chat.quit() },
];

const keys = [
  ["Enter", "send; while the agent works, the model reads it before its next request"],
  ["Alt-Enter", "while the agent works: say it after the answer"],
  ["Ctrl-J, Shift-Enter", "a new line"],
  ["Esc", "take back what was not sent yet; else cancel the turn"],
  ["Ctrl-C", "cancel the turn, or clear the line; twice: leave"],
  ["Up, Down, Ctrl-R", "earlier prompts, and the search in them"],
  ["Ctrl-G", "write the prompt in $EDITOR"],
  ["Ctrl-O", "all of the output of the last call"],
  ["@path", "names a file; an image or a PDF is attached"],
  ["!command", "run it yourself, and show its output to the model with the next prompt; !! keeps it to yourself"],
] as const;

/** @throws UsageError for a name that there is not */
export function slashCommand(name: string): SlashCommand {
  const found = slashCommands.find((command) => command.name === name);
  if (found) return found;
  const [nearest] = nearestNames(
    name,
    slashCommands.map((command) => command.name),
  );
  throw new UsageError(
    `There is no /${visible(name)}. ${nearest ? `Did you mean /${nearest}?` : "/help shows what there is."}`,
  );
}
