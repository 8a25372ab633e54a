import type { Key } from "@cogency/storage";
import { type Operation, ownKeys, profileUser, sharedKey } from "./operations.ts";
import type { Work } from "./work.ts";

/** What a store must contain, and what it may contain because of a killed writer's last operation. */
export interface Expected {
  logs: ExpectedLog[];
  profiles: { user: string; states: (ExpectedProfile | null)[] }[];
  /** The highest token that a lease had. */
  token: number;
}

export interface ExpectedLog {
  key: Key;
  /** Acknowledged appends: name → the last sequence number. */
  appends: Map<string, number>;
  /** Batches that the log may also contain, each as a whole. */
  pending: Extract<Operation, { kind: "append" }>[];
  isDeletePending: boolean;
  /** The current lease, if it was acknowledged. Undefined if there is none or it is unknown. */
  lease: { owner: string; token: number } | undefined;
}

interface ExpectedProfile {
  text: string;
  version: number;
}

export function nothingExpected(writers: readonly string[]): Expected {
  return {
    logs: [sharedKey, ...writers.flatMap(ownKeys)].map((key) => ({
      key,
      appends: new Map(),
      pending: [],
      isDeletePending: false,
      lease: undefined,
    })),
    profiles: writers.map((writer) => ({ user: profileUser(writer), states: [null] })),
    token: 0,
  };
}

/** Adds the work of killed writers. */
export function expectWork(expected: Expected, works: readonly Work[]): void {
  for (const { writer, acknowledged, pending } of works) {
    for (const { operation, result } of acknowledged) expectDone(expected, writer, operation, result);
    if (pending) expectPending(expected, pending);
  }
}

function expectDone(expected: Expected, writer: string, operation: Operation, result: number): void {
  switch (operation.kind) {
    case "append":
      logOf(expected, operation.key).appends.set(operation.name, result);
      break;
    case "delete": {
      const log = logOf(expected, operation.key);
      log.appends.clear();
      log.lease = undefined;
      break;
    }
    case "lease":
      logOf(expected, operation.key).lease = { owner: writer, token: result };
      expected.token = Math.max(expected.token, result);
      break;
    case "release":
      logOf(expected, operation.key).lease = undefined;
      break;
    case "saveProfile":
      profileOf(expected, operation.user).states = [{ text: operation.text, version: result }];
      break;
    case "deleteProfile":
      profileOf(expected, operation.user).states = [null];
      break;
    case "search":
      break;
  }
}

function expectPending(expected: Expected, operation: Operation): void {
  switch (operation.kind) {
    case "append":
      logOf(expected, operation.key).pending.push(operation);
      break;
    case "delete":
      logOf(expected, operation.key).isDeletePending = true;
      logOf(expected, operation.key).lease = undefined;
      break;
    case "lease":
    case "release":
      logOf(expected, operation.key).lease = undefined;
      break;
    case "saveProfile": {
      const { states } = profileOf(expected, operation.user);
      states.push({ text: operation.text, version: (states[0]?.version ?? 0) + 1 });
      break;
    }
    case "deleteProfile":
      profileOf(expected, operation.user).states.push(null);
      break;
    case "search":
      break;
  }
}

function logOf({ logs }: Expected, { conversation }: Key): ExpectedLog {
  const log = logs.find(({ key }) => key.conversation === conversation);
  if (!log) throw new Error(`No writer has a conversation ${conversation}.`);
  return log;
}

function profileOf({ profiles }: Expected, user: string): Expected["profiles"][number] {
  const profile = profiles.find((one) => one.user === user);
  if (!profile) throw new Error(`No writer has a user ${user}.`);
  return profile;
}
