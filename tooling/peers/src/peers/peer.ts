import type { OfferedTool } from "../model/conversation.ts";
import type { ToolCall } from "../model/reply.ts";

/** A terminal agent that is measured. */
export interface Peer {
  readonly name: string;
  /** Its package in the npm registry; absent for the app of this workspace. */
  readonly from?: { readonly package: string; readonly version: string };
  /** Writes the configuration into its home: a model at the server of the place, no telemetry, no updates, a project it trusts. */
  prepare(place: Place): void;
  /** Variables beside HOME, PATH and those of a terminal. */
  env(place: Place): Record<string, string>;
  /** The words that begin a chat at a terminal. */
  chat(place: Place): string[];
  /** The words that answer one prompt, without a terminal, and end. */
  oneShot(place: Place, prompt: string): string[];
  /** Options that let it read files and run `echo` without a question. */
  readonly trusting?: readonly string[];
  /** What the screen shows when a prompt can be typed. */
  readonly ready: RegExp;
  /** What the screen shows while it asks whether a call may run, and the keys that allow the call once. */
  readonly question: { readonly shows: RegExp; readonly allow: string };
  /** The tool call of its own that does what a step wants. `offered` are the tools of its last request. */
  call(wish: Wish, offered: readonly OfferedTool[]): ToolCall;
  /** Other ways to start the chat in which the steps of a piece of work are tried. */
  readonly modes?: readonly Mode[];
}

/** Where a peer runs. */
export interface Place {
  /** The folder that it is installed in. */
  readonly installed: string;
  readonly home: string;
  readonly project: string;
  /** The server of the scripted model: `http://127.0.0.1:<port>`. */
  readonly url: string;
}

/** A permission mode, by the options that choose it. */
export interface Mode {
  readonly name: string;
  readonly options: readonly string[];
}

/** What a step wants to be done, before it is put into the words of a peer's tools. */
export type Wish =
  | { readonly kind: "list"; readonly folder: string }
  | { readonly kind: "read"; readonly file: string }
  | { readonly kind: "edit"; readonly file: string; readonly from: string; readonly to: string }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "background"; readonly command: string };
