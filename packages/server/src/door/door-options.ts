import { above, callback, group, listOf, type OptionTable, required, text, whole } from "@cogency/protocol/options";
import type { HandlerOptions } from "../handler-options.ts";
import type { LimitOptions } from "../limit-options.ts";

/** The options of everything that answers requests of users. */
export type DoorOptions = Pick<
  HandlerOptions,
  | "authenticate"
  | "origins"
  | "limits"
  | "prefix"
  | "maxBodyBytes"
  | "bodyTimeout"
  | "streamTime"
  | "keepAlive"
  | "onError"
>;

const milliseconds = above(0, "milliseconds");
const limit = whole(1);

export const doorTable = {
  authenticate: required(callback),
  origins: listOf(text, "an array of origins"),
  limits: group<LimitOptions>({ requests: limit, streams: limit, waiting: limit, conversations: limit }),
  prefix: {
    ...text,
    wanted: 'a path that begins with a slash and ends without one, such as "/api"',
    isInRange: (prefix) => prefix === "" || /^\/.*[^/]$/.test(String(prefix)),
  },
  maxBodyBytes: above(0, "bytes"),
  bodyTimeout: milliseconds,
  streamTime: milliseconds,
  keepAlive: milliseconds,
  onError: callback,
} satisfies OptionTable<DoorOptions>;
