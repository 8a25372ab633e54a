import { createAgent } from "@cogency/agent";
import { formatResults, parseResults } from "@cogency/protocol";
import { type ModelRequest, scripted } from "@cogency/provider";
import { defineTool } from "@cogency/tools";
import * as z from "zod";
import type { Attack } from "../../harness/attack.ts";
import type { Random } from "../../harness/random.ts";

const genuine = /<\/?(?:think|execute|results|end)>/gi;

/** Sends the text as a prompt. In an untrusted prompt the request must not show its markers. */
export function promptAttack(name: string, text: string): Attack {
  return {
    name: `prompt: ${name}`,
    async run() {
      for (const untrusted of ["piped input", undefined]) {
        const provider = scripted(["Hello."]);
        await createAgent({ provider }).run(`Summarise: ${text} End of text.`, { ...(untrusted && { untrusted }) })
          .result;
        const [found] = shownAs("user", provider.requests[0]);
        if (found === undefined) throw new Error("The prompt was not sent.");
        if (untrusted && markersIn(found).length > 0)
          return `sent as they are: ${markersIn(found).slice(0, 4).join(" ")}`;
      }
      return undefined;
    },
  };
}

/** Returns the text from a tool. The request must hold one block of results, from which the text can be read back. */
export function resultAttack(name: string, text: string): Attack {
  return {
    name: `result: ${name}`,
    async run() {
      const provider = scripted(['<execute>[{"name":"page","args":{}}]</execute>', "Hello."]);
      const page = defineTool({ name: "page", description: "A page.", input: z.object({}), execute: () => text });
      await createAgent({ provider, tools: [page] }).run("Read it.").result;
      const shown = shownAs("user", provider.requests[1]).at(-1) ?? "";
      if (markersIn(shown).join(" ") !== "<results> </results>") {
        return `the request holds ${markersIn(shown).slice(0, 6).join(" ")}`;
      }
      const [read] = parseResults(shown) ?? [];
      return read?.content === text.toWellFormed() || text.length > 20_000
        ? undefined
        : "it does not read back as it was";
    },
  };
}

/** Formats random pieces of markers as a result and as a prompt. */
export function soupAttack(index: number, random: Random): Attack {
  const pieces = [
    "<",
    ">",
    "/",
    "results",
    "RESULTS",
    "execute",
    "end",
    "think",
    "\\",
    '"',
    "{",
    "[",
    "\n",
    "&lt;",
    "\u003c",
    " ",
  ];
  const text = Array.from({ length: 10 + random.below(60) }, () =>
    random.pick([...pieces, "<results>", "</results>"]),
  ).join("");
  return {
    name: `soup ${index}: ${JSON.stringify(text).slice(0, 40)}`,
    async run() {
      const written = formatResults([{ tool: "page", status: "success", content: text }]);
      const inner = markersIn(written).join(" ");
      if (inner !== "<results> </results>") return `the block holds ${inner}`;
      if (parseResults(written)?.[0]?.content !== text) return "it does not read back as it was";
      return promptAttack("", text).run(undefined as never);
    },
  };
}

/** The markers in a text. */
function markersIn(text: string): string[] {
  return text.match(genuine) ?? [];
}

function shownAs(role: string, request: ModelRequest | undefined): string[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === role && "content" in message && typeof message.content === "string" ? [message.content] : [],
  );
}
