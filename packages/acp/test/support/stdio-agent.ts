import { inOwnProcess, serveOverStdio } from "../../src/node/index.ts";

// `node stdio-agent.ts FILE [alone]`: an agent over stdin and stdout, with its store in a file; `alone`, in the process that was started.
const [path = "", alone] = process.argv.slice(2);

async function program(): Promise<number> {
  const [{ sqliteStore }, { stdioSite }] = await Promise.all([
    import("@cogency/storage-sqlite"),
    import("./stdio-site.ts"),
  ]);
  console.error(`process ${process.pid}`);
  const store = await sqliteStore({ path });
  await serveOverStdio(stdioSite(store));
  await store.close();
  return 0;
}

process.exitCode = alone === undefined ? await inOwnProcess(program) : await program();
