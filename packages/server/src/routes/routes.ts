import type { Asked, Methods } from "../route.ts";
import { deleteConversation } from "./delete-conversation.ts";
import { describeAll } from "./describe-all.ts";
import { followChanges } from "./follow-changes.ts";
import { followEvents } from "./follow-events.ts";
import { forkConversation } from "./fork-conversation.ts";
import { listConversations } from "./list-conversations.ts";
import { listForks } from "./list-forks.ts";
import { listQuestions } from "./list-questions.ts";
import { listWaiting } from "./list-waiting.ts";
import { namePoint } from "./name-point.ts";
import { postMessage } from "./post-message.ts";
import { renameConversation } from "./rename-conversation.ts";
import { showConversation } from "./show-conversation.ts";

/** The addresses behind the prefix that are about no single conversation. */
export const ofAll: ReadonlyMap<string, Methods<Asked>> = new Map([
  ["/conversations", new Map([["GET", listConversations]])],
  ["/changes", new Map([["GET", followChanges]])],
  ["/openapi.json", new Map([["GET", describeAll]])],
]);

/** What stands behind `/conversations/ID` in the addresses of one conversation. */
export const ofOne: ReadonlyMap<string, Methods> = new Map([
  [
    "",
    new Map([
      ["GET", showConversation],
      ["PATCH", renameConversation],
      ["DELETE", deleteConversation],
    ]),
  ],
  ["/events", new Map([["GET", followEvents]])],
  [
    "/messages",
    new Map([
      ["GET", listWaiting],
      ["POST", postMessage],
    ]),
  ],
  ["/questions", new Map([["GET", listQuestions]])],
  ["/fork", new Map([["POST", forkConversation]])],
  ["/forks", new Map([["GET", listForks]])],
  ["/points", new Map([["POST", namePoint]])],
]);
