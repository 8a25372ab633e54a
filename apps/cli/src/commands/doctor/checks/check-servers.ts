import { redacted } from "../../../base/errors/redacted.ts";
import { counted, oneLine } from "../../../base/terminal/text.ts";
import { modelServers, modelsOf } from "../../../work/provider/server-models.ts";
import { type Finding, fault, ok, remark } from "../finding.ts";

/** Milliseconds that a server may take. */
const timeout = 5000;

/** The servers with a key, and those on this machine that answer. */
export async function checkServers(): Promise<Finding[]> {
  const answers = await Promise.all(
    modelServers.map(async (server) => ({
      isLocal: server.keyVariables.length === 0,
      said: await modelsOf(server, timeout),
    })),
  );
  const found = answers.flatMap(({ isLocal, said }): Finding[] => {
    if ("models" in said) return [ok("server", `${said.server} answers, with ${counted(said.models.length, "model")}`)];
    // A server at home that does not run is no fault, and one without a key is not used.
    if (isLocal || said.unset) return [];
    const problem = oneLine(redacted(said.problem), 300);
    return [fault("server", `${said.server}: ${problem}`, `Look at the key and the address ${said.address}.`)];
  });
  if (found.length > 0) return found;
  return [
    remark(
      "server",
      "no key is set, and no server runs on this machine",
      "Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama.",
    ),
  ];
}
