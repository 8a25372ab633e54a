import { createInterface } from "node:readline";
import { createArrivals, type Message, serve, type Wire } from "./behaviour.ts";
import { programBehaviours } from "./program-behaviours.ts";

/** `program.ts NAME ARGS…`: a server over stdio that behaves as the name says. */
const [name = "", ...args] = process.argv.slice(2);
const make = programBehaviours[name];
if (!make) throw new Error(`There is no behaviour ${name}.`);
const behaviour = make(...args);
const arrivals = createArrivals();
const wire: Wire = {
  send: (message) => void process.stdout.write(`${JSON.stringify(message)}\n`),
  raw: (bytes) => void process.stdout.write(bytes),
  end: () => process.exit(3),
  push: (message) => void process.stdout.write(`${JSON.stringify(message)}\n`),
  ...arrivals,
};
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message: Message = JSON.parse(line);
  arrivals.add(message);
  void serve(behaviour, message, wire);
});
