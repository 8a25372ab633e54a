import { type Price, type Prices, priceOf } from "@cogency/provider";
import { redacted } from "../base/errors/redacted.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { note } from "../base/terminal/note.ts";
import { put, putLine } from "../base/terminal/output.ts";
import { tableLines } from "../base/terminal/table-lines.ts";
import { oneLine, padded, visible, widthOr } from "../base/terminal/text.ts";
import { readPrices } from "../place/config/read-prices.ts";
import { keepModelNames } from "../place/known-models.ts";
import { modelServers } from "../work/provider/known-servers.ts";
import { modelsOf, type ServerModels } from "../work/provider/server-models.ts";

export interface ModelsOptions {
  /** The prices of models, or a file with them. */
  prices?: string | Prices;
  json?: true;
}

/** Milliseconds that a server may take. */
const timeout = 5000;

/**
 * `cogency models`: asks the servers that can be asked for their models, or looks at the files of a folder.
 *
 * @throws UsageError for an unknown server, or prices that cannot be read
 */
export async function listModels(name: string | undefined, { prices: given = {}, json }: ModelsOptions): Promise<void> {
  const { isModelPath, listModelFiles } = await import("./lists/model-files.ts");
  if (name !== undefined && isModelPath(name)) return listModelFiles(name, json === true);
  const prices = typeof given === "string" ? readPrices(given) : given;
  const servers = modelServers.filter((server) => name === undefined || server.name === name);
  if (servers.length === 0) {
    const known = modelServers.map((server) => server.name).join(", ");
    throw new UsageError(`There is no server "${oneLine(name ?? "", 60)}". There are ${known}.`);
  }
  const answers = await Promise.all(servers.map((server) => modelsOf(server, timeout)));
  await keepModelNames(
    Object.fromEntries(answers.flatMap((said) => ("models" in said ? [[said.server, said.models]] : []))),
  );
  for (const said of answers) {
    if (json) await putLine(withPrices(said, (model) => priceOf(prices, model)));
    else await put(linesOf(said, (model) => priceOf(prices, model)));
  }
  if (!json && !answers.some((said) => "models" in said))
    note(
      "No server was asked. Set the key of one, such as with cogency config key set OPENAI_API_KEY, or start Ollama.",
    );
}

function withPrices(said: ServerModels, priced: (model: string) => Price | undefined): object {
  if (!("models" in said)) return { ...said, problem: redacted(said.problem) };
  return { ...said, models: said.models.map((model) => ({ model, price: priced(model) })) };
}

function linesOf(said: ServerModels, priced: (model: string) => Price | undefined): string {
  const columns = widthOr(process.stdout, Number.POSITIVE_INFINITY);
  const head = tableLines([[padded(said.server, 10), visible(said.address)]], { columns });
  const indented = (rows: readonly (readonly string[])[]) =>
    tableLines(rows, { columns: columns - 4 }).map((line) => `    ${line}`);
  const problem =
    "problem" in said ? `${said.unset ? "not asked" : "cannot be used"}: ${visible(redacted(said.problem))}` : "";
  const rows = "models" in said ? said.models.map((model) => [visible(model), priceText(priced(model))]) : [[problem]];
  return [...head, ...indented(rows.length > 0 ? rows : [["it has no model yet"]]), ""].join("\n");
}

function priceText(price: Price | undefined): string {
  return price ? `${price.input} in, ${price.output} out per million tokens` : "";
}
