import type { Key } from "@cogency/storage";
import type { Looks } from "./changes/looks.ts";
import type { DoorSettings, Visitor } from "./door/door.ts";
import type { HandlerOptions } from "./handler-options.ts";
import type { Questions } from "./questions.ts";

/** A request to one address, with what is known of it. */
export interface Asked extends Visitor, DoorSettings, Pick<HandlerOptions, "agent" | "store"> {
  questions: Questions;
  looks: Looks;
}

/** A request about one conversation. */
export interface AskedOfOne extends Asked {
  key: Key;
}

/** Answers a request, or throws a Problem or what the store throws. */
export type Route<A extends Asked = AskedOfOne> = (asked: A) => Promise<Response>;

/** The methods that an address has. */
export type Methods<A extends Asked = AskedOfOne> = ReadonlyMap<string, Route<A>>;
