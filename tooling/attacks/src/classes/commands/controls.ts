import type { Attack } from "../../harness/attack.ts";
import { printedBy, surroundings } from "./shell.ts";

export const controls: Attack[] = [
  {
    name: "control: a command in the sandbox works in the root",
    isControl: true,
    isDear: true,
    async run(place) {
      await surroundings(place);
      const printed = await printedBy(place, 'echo "made" >made.txt; cat made.txt; test -d /usr/bin && echo "found"');
      return /made.*found/.test(printed) && place.text("root/made.txt") === "made\n" ? undefined : printed;
    },
  },
  {
    name: "control: without a sandbox a secret can be read, and that is seen",
    isControl: true,
    isDear: true,
    async run(place) {
      const world = await surroundings(place);
      const reached = await world.reached(await printedBy(place, "cat ../outside/secret.txt", { sandbox: "off" }));
      return reached === undefined ? "the attack cannot be seen" : undefined;
    },
  },
];
