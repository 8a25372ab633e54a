import type { Command } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { DeleteOptions } from "../commands/history/delete.ts";
import type { ImportOptions } from "../commands/history/import.ts";
import type { ListOptions } from "../commands/history/list.ts";
import type { SearchHistoryOptions } from "../commands/history/search.ts";
import type { ShowOptions } from "../commands/history/show.ts";
import type { HistoryOptions } from "../place/store/with-history.ts";
import type { ExportOptions } from "../work/export/export.ts";
import { limitOption, optionOf, userOption, valueOption } from "./options.ts";

/** `cogency history`: commands on stored conversations. */
export function addHistoryCommands(program: Command, cancellation: Cancellation, exit: (code: number) => void): void {
  const history = program
    .command("history")
    .description("list, show, search, rename, export, import and delete conversations")
    .helpCommand(false);
  const whose = "the user of another application whose conversations these are; those of your own runs if absent";

  /** Finishes its work in order when it is cancelled, and exits with the code of the signal. */
  const during = (work: (signal: AbortSignal) => Promise<void>) =>
    cancellation.during(async (signal) => {
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (signal.aborted) exit(cancellation.exitCode);
    });

  history
    .command("list")
    .description("list conversations, the newest first")
    .addOption(optionOf("store"))
    .addOption(userOption(whose))
    .addOption(limitOption(20, "conversations"))
    .option("--json", "one line of JSON each")
    .action(async (options: ListOptions) => {
      const { listHistory } = await import("../commands/history/list.ts");
      await listHistory(options);
    });

  history
    .command("show")
    .description("print a conversation")
    .argument("<conversation>", "its id, the beginning of its id, or words of its title")
    .addOption(optionOf("store"))
    .addOption(userOption(whose))
    .option("--json", "the stored events as JSON lines, with their sequence numbers")
    .option("--thinking", "show the model's thinking, too")
    .action(async (conversation: string, options: ShowOptions) => {
      const { showHistory } = await import("../commands/history/show.ts");
      await showHistory(conversation, options);
    });

  history
    .command("search")
    .description("find words in what was said and in what tools returned, the best first")
    .argument("<words...>", "words, or how they begin")
    .addOption(optionOf("store"))
    .addOption(userOption(whose))
    .addOption(limitOption(10, "places"))
    .option("--json", "one line of JSON each")
    .action(async (words: string[], options: SearchHistoryOptions) => {
      const { searchHistory } = await import("../commands/history/search.ts");
      await searchHistory(words, options);
    });

  history
    .command("rename")
    .description("give a conversation a title, which lists show in place of its first message")
    .argument("<conversation>", "its id, the beginning of its id, or words of its title; with --user its id")
    .argument("<title...>", "at most 80 characters")
    .addOption(optionOf("store"))
    .addOption(userOption(whose))
    .action(async (conversation: string, title: string[], options: HistoryOptions) => {
      const { renameHistory } = await import("../commands/history/rename.ts");
      await renameHistory(conversation, title.join(" "), options);
    });

  history
    .command("export")
    .description("write conversations as JSON lines, without what looks like a secret")
    .argument(
      "[conversations...]",
      "their ids, the beginnings of their ids, or words of their titles; all of the user's if absent",
    )
    .addOption(optionOf("store"))
    .addOption(userOption(whose))
    .addOption(valueOption("--output <file>", "a new file that only you can read; stdout if absent"))
    .option("--force", "overwrite the file")
    .option("--raw", "keep secrets")
    .action(async (conversations: string[], options: ExportOptions) => {
      const { exportHistory } = await import("../work/export/export.ts");
      await during((signal) => exportHistory(conversations, options, signal));
    });

  history
    .command("import")
    .description("read back what export has written")
    .argument("<file>", 'the file that export wrote; "-" reads stdin')
    .addOption(optionOf("store"))
    .addOption(userOption("the user who gets them; the users that the file names if absent"))
    .addOption(valueOption("--as <name>", "the name of the only conversation, instead of its own"))
    .action(async (file: string, options: ImportOptions) => {
      const { importHistory } = await import("../commands/history/import.ts");
      await during((signal) => importHistory(file, options, signal));
    });

  history
    .command("delete")
    .description("remove conversations for good")
    .argument("<conversations...>", "their ids")
    .addOption(optionOf("store"))
    .addOption(userOption(whose))
    .option("--yes", "do not ask")
    .action(async (conversations: string[], options: DeleteOptions) => {
      const { deleteHistory } = await import("../commands/history/delete.ts");
      await deleteHistory(conversations, options);
    });
}
