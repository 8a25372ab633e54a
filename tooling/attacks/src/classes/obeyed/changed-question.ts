import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { carryOut, type FileCall } from "../../harness/file-calls.ts";

/** A file that changes while a person is asked about a call that replaces or runs it. */
export type ChangedQuestion = [name: string, call: FileCall, file: string];

export const changedQuestions: readonly ChangedQuestion[] = [
  ["a file to overwrite", { name: "write", args: { file: "a.sh", content: "new", overwrite: true } }, "a.sh"],
  ["a file to edit", { name: "edit", args: { file: "a.sh", edits: [{ old: "touch", new: "x" }] } }, "a.sh"],
  ["a script", { name: "shell", args: { command: "sh a.sh" } }, "a.sh"],
  ["a script of node", { name: "shell", args: { command: "node --no-warnings a.mjs" } }, "a.mjs"],
  ["the scripts of a package", { name: "shell", args: { command: "npm run go" } }, "package.json"],
  ["a makefile", { name: "shell", args: { command: "make" } }, "Makefile"],
];

export function changedQuestionAttack([name, call, file]: ChangedQuestion): Attack {
  return {
    name: `a question about ${name} that changes before the answer`,
    async run(place) {
      const mark = join(place.outer, "pwned");
      const texts: Record<string, (evil: string) => string> = {
        "a.sh": (evil) => `touch ${evil}\n`,
        "a.mjs": (evil) => `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(evil)}, "");\n`,
        "package.json": (evil) => JSON.stringify({ name: "a", scripts: { go: `touch ${evil}` } }),
        Makefile: (evil) => `all:\n\ttouch ${evil}\n`,
      };
      const text = texts[file] ?? String;
      place.put(`root/${file}`, text("harmless"));
      const evil = text(mark);
      const approval = {
        policy: { otherwise: "ask" } as const,
        async approve() {
          writeFileSync(join(place.root, file), evil);
          return true;
        },
      };
      const options = { root: place.root, access: "project", shell: { sandbox: "off" } } as const;
      await carryOut([call], { ...options, include: [call.name] }, approval);
      if (place.text("pwned") !== undefined) return "what nobody was asked about has run";
      return place.text(`root/${file}`) === evil ? undefined : "the change was overwritten";
    },
  };
}
