import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { evilModule, evilScript, trustNow } from "./trusted.ts";

export const controls: Attack[] = [
  {
    name: "control: the module of a tool of a trusted project is loaded, with what it imports and requires",
    isControl: true,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD");
      place.put("root/.cogency/config.json", '{"tools":["./t.mjs", "./t.cjs"]}');
      place.put("root/.cogency/t.mjs", 'import "./u.mjs"; export default [];');
      place.put("root/.cogency/u.mjs", evilModule(join(place.outer, "one")));
      place.put("root/.cogency/t.cjs", 'module.exports = require("./u");');
      place.put("root/.cogency/u.js", evilScript(join(place.outer, "two")));
      await trustNow(place);
      const { stderr } = await place.cogency(["run", "hello", "--provider", "offline"]);
      const isLoaded = ["one", "two"].every((mark) => place.text(mark) !== undefined);
      return isLoaded ? undefined : `it was not loaded: ${stderr}`;
    },
  },
  {
    name: "control: the provider module of a trusted project is loaded, also from a folder below",
    isControl: true,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD");
      place.put("root/.cogency/config.json", '{"provider":"./p.mjs"}');
      place.put("root/.cogency/p.mjs", evilModule(join(place.outer, "pwned")));
      place.put("root/x/file");
      await trustNow(place);
      const { stderr } = await place.cogency(["run", "hello"], { cwd: join(place.root, "x") });
      return place.text("pwned") === undefined ? `it was not loaded: ${stderr}` : undefined;
    },
  },
  {
    name: "control: below a trusted folder, a configuration that can run nothing counts without a question",
    isControl: true,
    isDear: true,
    async run(place) {
      await trustNow(place);
      place.put("root/x/.git", "gitdir: ../.git/modules/x\n");
      place.put("root/x/.cogency/config.json", '{"model":"small"}');
      const { stdout, stderr } = await place.cogency(["config", "get", "model"], { cwd: join(place.root, "x") });
      return stdout === "small\n" && stderr === "" ? undefined : `it does not count: ${stdout}${stderr}`;
    },
  },
  {
    name: "control: an AGENTS.md that a person has seen is obeyed, also through a link in the project, and a write runs",
    isControl: true,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD");
      place.put("root/docs/agents.md", "Use tabs.");
      symlinkSync("docs/agents.md", join(place.root, "AGENTS.md"));
      await trustNow(place);
      const write = { name: "write", args: { file: "made.txt", content: "x" } };
      const { stderr } = await place.run([[write], "Done."], ["go", "--allow", "write", "--conversation", "c"]);
      if (place.text("root/made.txt") === undefined) return `the write did not run: ${stderr}`;
      return JSON.stringify(await place.log("c")).includes("Use tabs.") ? undefined : "the model did not read it";
    },
  },
  {
    name: "control: a skill that a person has seen is read, and a write runs",
    isControl: true,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD");
      place.put("root/.claude/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Tidies.\n---\nUse tabs.\n");
      await trustNow(place);
      const read = { name: "skill", args: { name: "tidy" } };
      const write = { name: "write", args: { file: "made.txt", content: "x" } };
      const { stdout, stderr } = await place.run([[read], [write], "Done."], ["go", "--json", "--allow", "write"]);
      if (place.text("root/made.txt") === undefined) return `the write did not run: ${stderr}`;
      return stdout.includes("Use tabs.") ? undefined : "the model did not read it";
    },
  },
  {
    name: "control: a command that a person has seen is sent with its file, and a write that is allowed runs",
    isControl: true,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD");
      place.put("root/rules.md", "Use tabs.");
      place.put("root/.claude/commands/tidy.md", "Tidy up by @rules.md\n");
      await trustNow(place);
      const write = { name: "write", args: { file: "made.txt", content: "x" } };
      const { stdout, stderr } = await place.run([[write], "Done."], ["/tidy", "--json", "--allow", "write"]);
      if (place.text("root/made.txt") === undefined) return `the write did not run: ${stderr}`;
      return stdout.includes("Use tabs.") ? undefined : "the model did not read it";
    },
  },
  {
    name: "control: a project that never protected writes as it may",
    isControl: true,
    isDear: true,
    async run(place) {
      place.put("root/.cogency/rules.json", '{"allow":["write"]}');
      await trustNow(place);
      await place.run([[{ name: "write", args: { file: "made.txt", content: "x" } }], "Done."], ["go"]);
      return place.text("root/made.txt") === undefined ? "a rule that was seen does not count" : undefined;
    },
  },
];
