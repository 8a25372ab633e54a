import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { listedConversations } from "../../place/store/conversation-pages.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import { nameConversation } from "../../work/names/name-conversation.ts";
import { pointOf } from "../../work/points/point-of.ts";
import { forkConversation } from "../../work/undo/fork-conversation.ts";
import { exportCommand } from "./export-command.ts";
import type { SlashCommand } from "./slash-command.ts";

/** Which conversation it is. In the order of the help. */
export const conversationCommands: readonly SlashCommand[] = [
  {
    name: "history",
    argument: "[count]",
    help: "the latest conversations",
    anytime: true,
    async run({ session, view }, argument) {
      if (!/^\d{0,4}$/.test(argument)) throw new UsageError("/history takes a number of conversations.");
      const found = await listedConversations(await session.store(), { limit: Number(argument) || 15 });
      if (found.length === 0) return view.remark("There is no conversation yet.");
      view.list(
        found.map(({ conversation, updatedAt, title }) => [
          oneLine(conversation, 40),
          `${when(updatedAt)}${conversation === session.conversation ? ", this one" : ""} · ${title}`,
        ]),
      );
    },
  },
  {
    name: "resume",
    argument: "<conversation>",
    help: "go on with another conversation: its id, the beginning of it, or words of its title",
    async complete({ session }) {
      const latest = await (await session.store()).conversations({ limit: 20 });
      return latest.map(({ conversation }) => conversation);
    },
    async run(conversation, argument) {
      if (argument === "") throw new UsageError("Which one? /resume <conversation>; /history shows them.");
      const store = await conversation.session.store();
      await conversation.goTo(await findConversation(argument, store, conversation.session.place));
    },
  },
  {
    name: "new",
    help: "begin another conversation",
    async run(conversation) {
      await conversation.goTo(crypto.randomUUID());
      conversation.view.remark("A new conversation. /history shows the ones before.");
    },
  },
  {
    name: "rename",
    argument: "<title>",
    help: "give the conversation a title, which lists show and /resume finds",
    async run({ session, view }, argument) {
      const store = await session.store();
      const { conversation, place } = session;
      if ((await store.load({ conversation }, { last: 1 })).length === 0)
        throw new UsageError("The conversation is empty. Say something first.");
      const { title, later } = await nameConversation({ conversation }, argument, store, place);
      view.remark(`The title is now "${title}".${later === undefined ? "" : ` ${later}`}`);
    },
  },
  {
    name: "fork",
    argument: "[point]",
    help: "go on with a copy of the conversation, or of all before a point: a number of events, turn:2, or a name",
    async run(conversation, argument) {
      const { session, view } = conversation;
      const store = await session.store();
      const before = session.conversation;
      const log = argument === "" ? [] : await store.load({ conversation: before });
      const at = argument === "" ? undefined : pointOf(argument, log, "/fork");
      const { agent } = await session.open();
      const { fork, problem } = await forkConversation(before, { at }, { agent, store, place: session.place });
      // A copy of all of it is what stands on the paper already.
      await conversation.goTo(fork, { isShown: argument !== "" });
      view.remark(`This is a copy. /resume ${oneLine(before, 100)} goes back.`);
      if (problem !== undefined) view.remark(problem);
    },
  },
  exportCommand,
];
