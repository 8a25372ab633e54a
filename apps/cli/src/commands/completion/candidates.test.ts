import { Argument, Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { completionOf } from "./candidates.ts";

const program = new Command("cogency");
program
  .command("run")
  .description("say something")
  .argument("[prompt...]")
  .addOption(new Option("--driver <name>").choices(["protocol", "native"]))
  .option("--prices <file>")
  .option("--model <name>")
  .option("--resume [conversation]")
  .option("-c, --continue", "go on");
program.command("_secret", { hidden: true });
const history = program.command("history").description("look after conversations");
history.command("show").argument("<conversation>");
history.command("delete").argument("<conversations...>");
program
  .command("init")
  .addArgument(new Argument("<kind>").choices(["tool", "store"]))
  .argument("<name>");
const mcp = program.command("mcp");
mcp.command("logs").argument("<server>").option("-f, --follow");
mcp.command("call").argument("<server>").argument("<tool>").argument("[arguments]");
program.command("tools").command("call").argument("<tool>").argument("[arguments]");

describe("what may be typed next", () => {
  it.each<[string[], string[], string | undefined]>([
    [[""], ["run", "history", "init", "mcp", "tools"], undefined],
    [["h"], ["run", "history", "init", "mcp", "tools"], undefined],
    [["history", ""], ["show", "delete"], undefined],
    [["run", "--"], ["--driver", "--prices", "--model", "--resume", "--continue"], undefined],
    [["run", "--driver", ""], ["protocol", "native"], undefined],
    [["run", "--driver=n"], ["--driver=protocol", "--driver=native"], undefined],
    [["run", "--prices", ""], [], "files"],
    [["run", "--model", "g"], [], "models"],
    [["run", "--resume", ""], [], "conversations"],
    [["run", "--resume", "--"], ["--driver", "--prices", "--model", "--resume", "--continue"], undefined],
    [["--resume", ""], [], "conversations"],
    [["--resume=a"], [], "conversations"],
    [["history", "show", ""], [], "conversations"],
    [["history", "show", "one", ""], [], undefined],
    [["history", "delete", "one", "two", ""], [], "conversations"],
    [["init", ""], ["tool", "store"], undefined],
    [["init", "tool", ""], [], undefined],
    [["tools", "call", ""], [], "tools"],
    [["mcp", "logs", ""], [], "servers"],
    [["mcp", "logs", "-f", ""], [], "servers"],
    [["mcp", "call", ""], [], "servers"],
    [["mcp", "call", "docs", ""], [], "serverTools"],
    [["mcp", "call", "docs", "add", ""], [], undefined],
    [["run", "hello", ""], [], undefined],
    [["run", "--nothing", ""], [], undefined],
  ])("%j", (words, texts, values) => {
    const found = completionOf(program, words);
    expect(found.candidates.map(({ text }) => text)).toEqual(texts);
    expect(found.values).toBe(values);
  });
});
