import { setTimeout } from "node:timers/promises";
import postgres from "postgres";
import { Crew } from "./crew.ts";
import { openSender, type Sender } from "./sender.ts";
import type { BenchServer } from "./server.ts";
import { difference, named, type Tally } from "./statements.ts";

/** What one worker asks of the database that takes one conversation after the other. */
export interface Costs {
  /** Calls by the name of the statement: in each step, and in each conversation beside its steps. */
  statements: Map<string, { conversation: number; step: number }>;
  /** What the log holds of a step. */
  events: number;
  /** Characters of JSON of an event. */
  eventSize: number;
}

const few = 1;
const many = 11;
const conversations = 25;

/** The difference between long and short conversations is what steps cost; the rest is what a conversation costs. */
export async function costs({ books, inDatabase }: BenchServer): Promise<Costs> {
  return inDatabase(async (url) => {
    const options = { url, dispatcher: "storeDispatcher" } as const;
    const sender = await openSender(options);
    const crew = await Crew.start(1, "steps-process.ts", options);
    try {
      crew.go();
      await takeAll("warm-up", few);
      const short = await takeAll("short", few);
      const long = await takeAll("long", many);
      const split = (ofShort: number, ofLong: number) => {
        const step = (ofLong - ofShort) / conversations / (many - few);
        return { conversation: ofShort / conversations - few * step, step };
      };
      const [shortCalls, longCalls] = [named(short), named(long)];
      const names = [...new Set([...shortCalls.keys(), ...longCalls.keys()])];
      const calls = (of: typeof shortCalls, name: string) => of.get(name)?.calls ?? 0;
      return {
        statements: new Map(names.map((name) => [name, split(calls(shortCalls, name), calls(longCalls, name))])),
        ...(await logOf(url)),
      };
    } finally {
      await crew.end();
      await sender.close();
    }

    async function takeAll(name: string, steps: number): Promise<Tally> {
      const before = await books.tally(url);
      for (let index = 0; index < conversations; index++) await takeOne(sender, crew, `${name} ${index}`, steps);
      // What the processes tell each other after the end is part of it.
      await setTimeout(200);
      return difference(before, await books.tally(url));
    }
  });
}

async function takeOne(sender: Sender, crew: Crew, conversation: string, steps: number): Promise<void> {
  const ended = async () => (await crew.read())[0]?.ended ?? 0;
  const before = await ended();
  await sender.send(conversation, steps);
  while ((await ended()) === before) await setTimeout(2);
}

async function logOf(url: string): Promise<{ events: number; eventSize: number }> {
  const sql = postgres(url, { max: 1 });
  const [row] = await sql`
    SELECT (sum(events) FILTER (WHERE name LIKE '%long%') - sum(events) FILTER (WHERE name LIKE '%short%'))::float8 AS added,
      (SELECT avg(length(event))::float8 FROM cogency.events) AS size
    FROM cogency.conversations`;
  await sql.end();
  return { events: Number(row?.added) / conversations / (many - few), eventSize: Math.round(Number(row?.size)) };
}
