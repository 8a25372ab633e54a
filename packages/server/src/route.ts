import type { Key } from "@cogency/storage";
import type { Sender } from "./access/sender.ts";
import type { Looks } from "./changes/looks.ts";
import type { HandlerOptions } from "./handler-options.ts";
import type { Limits } from "./limits/limits.ts";

/** A request to one address, with what is known of it. */
export interface Asked extends Settings {
  request: Request;
  url: URL;
  sender: Sender;
  limits: Limits;
  looks: Looks;
}

/** The options of a handler, with their defaults. */
type Settings = {
  [Name in keyof Omit<HandlerOptions, "authenticate" | "origins" | "limits" | "prefix">]-?: NonNullable<
    HandlerOptions[Name]
  >;
} & { prefix: string };

/** A request about one conversation. */
export interface AskedOfOne extends Asked {
  key: Key;
}

/** Answers a request, or throws a Problem or what the store throws. */
export type Route<A extends Asked = AskedOfOne> = (asked: A) => Promise<Response>;

/** The methods that an address has. */
export type Methods<A extends Asked = AskedOfOne> = ReadonlyMap<string, Route<A>>;
