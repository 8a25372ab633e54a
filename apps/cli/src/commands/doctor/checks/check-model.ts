import { generate, type Provider } from "@cogency/provider";
import { messageOf } from "../../../base/errors/message-of.ts";
import { redacted } from "../../../base/errors/redacted.ts";
import { oneLine } from "../../../base/terminal/text.ts";
import { chooseProvider, type ProviderChoice } from "../../../work/provider/choose-provider.ts";
import { type Finding, fault, ok, remark } from "../finding.ts";

/** Milliseconds that the test request may take. */
const longest = 30_000;

/** Whether the model that a run would use answers. `request`: whether it is asked. */
export async function checkModel(choice: ProviderChoice, request: boolean): Promise<Finding[]> {
  const told: Finding[] = [];
  const found = await findModel(choice, request, (text) => told.push(remark("model", text)));
  return [...told, found];
}

async function findModel(choice: ProviderChoice, request: boolean, tell: (text: string) => void): Promise<Finding> {
  let provider: Provider;
  try {
    provider = await chooseProvider(choice, tell);
  } catch (error) {
    return fault(
      "model",
      redacted(messageOf(error as Error)),
      "Set the key, or give --provider, --model and --base-url.",
    );
  }
  const name = oneLine(`${provider.name} ${provider.model}`, 100);
  if (!request) return ok("model", `${name}, not asked`);
  const startedAt = performance.now();
  try {
    const messages = [{ role: "user" as const, content: "Answer with one word: ready" }];
    const events = await generate(provider, { system: "", messages }, { signal: AbortSignal.timeout(longest) });
    const finish = events.findLast((event) => event.type === "finish");
    if (finish?.type === "finish" && finish.reason === "aborted")
      return fault(
        "model",
        `${name} gave no answer within ${longest / 1000} s`,
        "Look at the server, or choose another one with --base-url.",
      );
    return ok("model", `${name} answered a test request in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  } catch (error) {
    return fault(
      "model",
      `${name}: ${redacted(messageOf(error as Error))}`,
      "Look at the address, the key and the name of the model.",
    );
  }
}
