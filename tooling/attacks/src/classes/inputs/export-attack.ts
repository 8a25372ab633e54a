import type { Attack } from "../../harness/attack.ts";
import { crash } from "./crash.ts";
import type { Export } from "./exports.ts";

export function exportAttack([name, text]: Export): Attack {
  return {
    name: `import: ${name}`,
    isDear: true,
    async run(place) {
      const path = place.put("gift.jsonl", text);
      const imported = await place.cogency(["history", "import", path]);
      const crashed = crash(imported);
      if (crashed) return `the import ${crashed}`;
      if (imported.code !== 0) {
        const { stdout } = await place.cogency(["history", "list", "--json"]);
        return stdout.trim() === "" ? undefined : "it was refused, and a part of it is stored";
      }
      // A stored conversation must be readable, exportable and resumable.
      for (const args of [["list"], ["export", "--raw"], ["show", nameIn(text)]]) {
        const wrong = crash(await place.cogency(["history", ...args]));
        if (wrong) return `history ${args[0]} ${wrong}`;
      }
      const wrong = crash(await place.run([], ["--resume", "--conversation", nameIn(text), "--deny"]));
      return wrong && `run --resume ${wrong}`;
    },
  };
}

function nameIn(text: string): string {
  return /"conversation":"((?:[^"\\]|\\.){1,100})"/.exec(text)?.[1] ?? "c";
}
