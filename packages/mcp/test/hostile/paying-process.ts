import { payingAgent } from "./paying-agent.ts";

/** `paying-process.ts DATABASE CALLS PIDS TOOL`: a run that calls the tool, and waits for its answer. */
const [database = "", calls = "", pids = "", tool = ""] = process.argv.slice(2);
const { agent } = await payingAgent({ database, calls, pids }, [{ calls: [{ name: `bank__${tool}` }] }, "Done."]);
await agent.ask("go", { conversation: "c" });
