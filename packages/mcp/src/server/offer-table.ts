import {
  above,
  anything,
  callback,
  either,
  flag,
  group,
  having,
  listOf,
  name,
  type OptionKind,
  type OptionTable,
  object,
  required,
  text,
  whole,
} from "@cogency/protocol/options";
import { executorTable } from "@cogency/tools/host";
import type { McpExecution, McpOffer, McpProtectedResource, McpServerLimits } from "./offer.ts";

export function offerTable(): OptionTable<McpOffer> {
  const {
    registry: _registry,
    throwOnToolFailure: _throws,
    stopOnToolBlock: _stops,
    earlyStart: _early,
    ...execution
  } = executorTable;
  return {
    tools: either(listOf(anything, "an array of tools"), having("a tool source", "tools")),
    registry: having("what createRegistry makes", "has", "get", "names", "specs"),
    agent: object,
    tasks: listOf(name),
    resources: having("resources", "read"),
    prompts: either(callback, listOf(anything, "an array of prompts")),
    name,
    version: name,
    instructions: text,
    execution: group<McpExecution>(execution),
    authenticate: callback,
    protectedResource: group<McpProtectedResource>({
      resource: required(name),
      authorizationServers: required(listOf(name)),
      scopes: listOf(name),
      name,
    }),
    allowedHosts: listOf(name),
    allowedOrigins: listOf(name),
    sessions: flag,
    secret,
    limits: group<McpServerLimits>({
      messageBytes: whole(1024),
      batch: whole(1),
      depth: whole(8),
      body: above(0, "milliseconds"),
      sessionsPerUser: whole(1),
      sessions: whole(1),
      idle: above(0, "milliseconds"),
      calls: whole(1),
      tasksPerUser: whole(1),
      tasks: whole(1),
      taskTtl: whole(1),
      unreadBytes: whole(1024),
      answer: above(0, "milliseconds"),
    }),
    onError: callback,
  };
}

const secret: OptionKind = {
  wanted: "a text or bytes of at least 32 bytes",
  isOfType: (value) => typeof value === "string" || value instanceof Uint8Array,
  isInRange: (value) => bytesOf(value as string | Uint8Array).length >= 32,
};

function bytesOf(given: string | Uint8Array): Uint8Array {
  return typeof given === "string" ? new TextEncoder().encode(given) : given;
}
