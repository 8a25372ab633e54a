import type { ProblemCode } from "../problem.ts";
import { arrayOf, named, type Schema, string } from "./schemas.ts";

/** What a request with one method to one address does. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly body?: Schema;
  /** By the status. Without a schema the response has no body, or it is a stream. */
  readonly responses: Readonly<
    Record<number, { readonly description: string; readonly schema?: Schema; readonly isStream?: true }>
  >;
  /** Why it may be refused, beyond `everywhere`. */
  readonly problems: readonly ProblemCode[];
}

/** Why a request to any address may be refused. */
export const everywhere: readonly ProblemCode[] = [
  "unauthorized",
  "cross_site",
  "too_many_requests",
  "internal",
  "store_failed",
];

const body: readonly ProblemCode[] = ["invalid_request", "timeout", "too_large", "unsupported_type"];

const posted = { description: "The message waits in the inbox.", schema: named("Posted") };

/** By the method and the address behind the prefix. */
export const operations: Readonly<Record<string, Operation>> = {
  "GET /conversations": {
    id: "listConversations",
    summary: "Lists the user's conversations, the latest first.",
    query: {
      limit: {
        description: "The most that are returned.",
        schema: { type: "integer", minimum: 1, maximum: 1000, default: 20 },
      },
      before: { description: "The last conversation of the page before.", schema: string },
    },
    responses: { 200: { description: "A page.", schema: arrayOf(named("ConversationSummary")) } },
    problems: ["invalid_request"],
  },
  "GET /changes": {
    id: "followChanges",
    summary: "Follows the list of the user's newest conversations.",
    responses: { 200: { description: "Server-sent events: each `data` is a ListChange.", isStream: true } },
    problems: ["too_many_streams"],
  },
  "GET /openapi.json": {
    id: "describe",
    summary: "Describes all of this.",
    responses: { 200: { description: "A description in OpenAPI 3.1.", schema: { type: "object" } } },
    problems: [],
  },
  "GET /conversations/{conversation}": {
    id: "showConversation",
    summary: "Tells the title of a conversation, and what it does now.",
    responses: { 200: { description: "The conversation.", schema: named("Conversation") } },
    problems: ["invalid_request", "not_found"],
  },
  "PATCH /conversations/{conversation}": {
    id: "renameConversation",
    summary: "Gives a conversation another title.",
    body: named("Title"),
    responses: {
      200: { description: "The title is stored.", schema: named("Renamed") },
      202: { description: "A run is at work, and stores the title.", schema: named("Renamed") },
    },
    problems: [...body, "not_found", "too_many_messages"],
  },
  "DELETE /conversations/{conversation}": {
    id: "deleteConversation",
    summary: "Removes a conversation, and ends its run.",
    responses: { 204: { description: "It is gone." } },
    problems: ["invalid_request", "not_found"],
  },
  "GET /conversations/{conversation}/events": {
    id: "followEvents",
    summary: "Follows the stored events, and between them the pieces of what a run is writing.",
    query: {
      view: {
        description: "`parts`: what a person may see. `log`: everything, for users with the scope `log`.",
        schema: { enum: ["parts", "log"], default: "parts" },
      },
    },
    headers: {
      "Last-Event-ID": {
        description: "The number of the last event that the reader has.",
        schema: { type: "integer", minimum: 0 },
      },
    },
    responses: {
      200: {
        description:
          "Server-sent events: each `data` is an Event with its number as `id`, or for the event `pieces` an array of Piece.",
        isStream: true,
      },
    },
    problems: ["invalid_request", "forbidden", "conflict", "too_many_streams"],
  },
  "GET /conversations/{conversation}/messages": {
    id: "listMessages",
    summary: "Lists the messages that no run has read yet.",
    responses: { 200: { description: "In the order of their posts.", schema: arrayOf(named("WaitingMessage")) } },
    problems: ["invalid_request"],
  },
  "POST /conversations/{conversation}/messages": {
    id: "postMessage",
    summary: "Posts a message, once for each id.",
    body: named("Message"),
    responses: { 202: posted },
    problems: [...body, "not_found", "conflict", "too_many_messages", "too_many_conversations"],
  },
  "GET /conversations/{conversation}/questions": {
    id: "listQuestions",
    summary: "Lists the questions that are open, or tells what the host adds to one.",
    query: { id: { description: "The id of a question.", schema: string } },
    responses: {
      200: {
        description: "The open questions; with `id` the details of one.",
        schema: { oneOf: [arrayOf(named("Question")), named("QuestionDetails")] },
      },
    },
    problems: ["invalid_request", "not_found"],
  },
  "POST /conversations/{conversation}/fork": {
    id: "forkConversation",
    summary: "Begins another conversation with all events, or the first ones.",
    body: named("Fork"),
    responses: { 201: { description: "The new conversation.", schema: named("Forked") } },
    problems: [...body, "not_found", "too_many_conversations"],
  },
  "GET /conversations/{conversation}/forks": {
    id: "listForks",
    summary: "Lists the conversations that come, by forks, from the same one.",
    responses: { 200: { description: "Each after the one it was forked from.", schema: named("Forks") } },
    problems: ["invalid_request", "not_found"],
  },
  "POST /conversations/{conversation}/points": {
    id: "namePoint",
    summary: "Names a point of a conversation, or takes a name back.",
    body: named("Point"),
    responses: {
      200: { description: "The name is stored.", schema: named("Pointed") },
      202: { description: "A run is at work, and stores the name.", schema: named("Pointed") },
    },
    problems: [...body, "not_found", "too_many_messages"],
  },
};
