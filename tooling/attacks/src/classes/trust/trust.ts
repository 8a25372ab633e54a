import type { AttackClass } from "../../harness/attack.ts";
import { agentAttack, agentFiles, greedyAgents } from "./agent-files.ts";
import { commandAttack, commandFiles } from "./command-files.ts";
import { controls } from "./controls.ts";
import { endlessAttack, endlessCommands, endlessFiles } from "./endless-files.ts";
import { forgedLineAttack, forgedLines } from "./forged-lines.ts";
import { instructionAttack, instructionFiles } from "./instruction-files.ts";
import { lostProtectionAttack, lostProtections } from "./lost-protections.ts";
import { nestedAttack, nestedProjects } from "./nested-projects.ts";
import { otherStoreAttack, otherStores } from "./other-stores.ts";
import { projectHookAttack, projectHooks } from "./project-hooks.ts";
import { skillAttack, skillFiles } from "./skill-files.ts";
import { swappedAttack, swappedFiles } from "./swapped-files.ts";

/** What a folder configures and instructs, before a person trusts it and after. */
export const trust: AttackClass = {
  name: "trust",
  slice: { cheap: 0, dear: 4 },
  attacks: () => [
    ...endlessFiles.flatMap((file) => endlessCommands.map((command) => endlessAttack(file, command))),
    ...nestedProjects.map(nestedAttack),
    ...swappedFiles.map(swappedAttack),
    ...lostProtections.map(lostProtectionAttack),
    ...instructionFiles.map(instructionAttack),
    ...skillFiles.map(skillAttack),
    ...projectHooks.map(projectHookAttack),
    ...agentFiles.map(agentAttack),
    ...greedyAgents,
    ...commandFiles.map(commandAttack),
    ...forgedLines.map(forgedLineAttack),
    ...otherStores.map(otherStoreAttack),
    ...controls,
  ],
};
