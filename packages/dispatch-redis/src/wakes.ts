import type { Key } from "@cogency/storage";
import type { RedisClient } from "./client.ts";

/** The names of the sorted sets. */
export interface WakeKeys {
  /** Wakes for now, the longest waiting first. */
  wakes: string;
  /** Wakes for later, by their time. */
  later: string;
}

/** Both stand in one slot of a cluster. */
export function keysOf(name: string): WakeKeys {
  return { wakes: `{${name}}:wakes`, later: `{${name}}:later` };
}

/**
 * Puts a wake where workers find it. Wakes of one conversation that wait for the same time are one. One that waits for tomorrow does not
 * keep back one for now.
 */
export async function putWake(
  client: RedisClient,
  { wakes, later }: WakeKeys,
  { key: { conversation, user }, at }: { key: Key; at: number | undefined },
): Promise<void> {
  const key = JSON.stringify({ conversation, user });
  // NX: one that waits keeps its place.
  if (at === undefined) await client.sendCommand(["ZADD", wakes, "NX", String(Date.now()), key]);
  else await client.sendCommand(["ZADD", later, String(at), `${at} ${key}`]);
}

/** Puts a wake back that a worker has taken and cannot attend to. */
export async function putBack(client: RedisClient, { wakes }: WakeKeys, member: string): Promise<void> {
  await client.sendCommand(["ZADD", wakes, "NX", "0", member]);
}

/** Moves what has come due, by the clock of the server, to the wakes for now. */
export async function moveDue(client: RedisClient, { wakes, later }: WakeKeys): Promise<void> {
  await client.sendCommand(["EVAL", moving, "2", wakes, later]);
}

const moving = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call("ZRANGEBYSCORE", KEYS[2], "-inf", now, "LIMIT", 0, 1000)
for _, member in ipairs(due) do
  redis.call("ZREM", KEYS[2], member)
  redis.call("ZADD", KEYS[1], "NX", now, member)
end
`;

/**
 * Takes the wake that has waited for the longest time, and waits for one.
 *
 * @returns null if none came within a second
 */
export async function takeWake(client: RedisClient, { wakes }: WakeKeys): Promise<string | null> {
  const taken = (await client.sendCommand(["BZPOPMIN", wakes, "1"])) as [key: unknown, member: unknown] | null;
  return taken && String(taken[1]);
}
