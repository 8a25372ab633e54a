import {
  callback,
  checkOptions,
  flag,
  having,
  listOf,
  type OptionTable,
  object,
  required,
  whole,
} from "@cogency/protocol/options";
import type { Acp } from "./acp.ts";
import type { AcpOptions } from "./acp-options.ts";
import { openConnection } from "./connection/open-connection.ts";

/**
 * Makes of agents one that editors use by the Agent Client Protocol, version 1.
 *
 * @throws TypeError for an unknown option, one of a wrong type, and one that is missing; RangeError for a value out of its range
 */
export function createAcp(options: AcpOptions): Acp {
  checkOptions<AcpOptions>("createAcp", options, table);
  return { connect: (stream) => openConnection(options, stream) };
}

const table: OptionTable<AcpOptions> = {
  info: required(object),
  store: required(having("a store", "load", "follow", "lease")),
  open: required(callback),
  list: callback,
  remove: callback,
  fork: callback,
  authentication: listOf(object),
  mcp: object,
  additionalDirectories: flag,
  explain: callback,
  maxSessions: whole(1),
  onError: callback,
};
