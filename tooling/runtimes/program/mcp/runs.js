import { createAgent } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import { http, mcp } from "@cogency/mcp";
import { scripted } from "@cogency/provider";
import { equal } from "../equal.js";
import { runAll } from "../run-all.js";
import { revisions } from "./revisions.js";
import { serverFor } from "./server.js";

/**
 * What the client and the server must do in any runtime, in both revisions of the protocol.
 *
 * @param {Addresses} addresses
 */
export function runsOf(addresses) {
  const runs = Object.assign({}, ...Object.keys(revisions).map(runsIn), addresses.closed && refusals);
  return runAll(runs, addresses);
}

/**
 * @param {string} name
 * @returns {Runs}
 */
function runsIn(name) {
  const revision = /** @type {keyof typeof revisions} */ (name);
  const overNetwork = revisions[revision]((url, init) => fetch(url, init));
  return {
    async [`${revision}: lists and calls a tool over HTTP`]({ open }) {
      await callAt(open, revision, overNetwork);
    },
    async [`${revision}: an agent calls a tool over HTTP`]({ open }) {
      const servers = connectTo(open, overNetwork);
      try {
        /** @type {import("@cogency/provider").ModelEvent} */
        const call = { type: "tool_call", id: "1", name: "sums__add", arguments: JSON.stringify(numbers) };
        const replies = [{ events: [call] }, "It is 5."];
        const provider = scripted(replies, { capabilities: { tools: true } });
        const agent = createAgent({ driver: nativeDriver(), provider }).use(servers);
        /** @type {string[]} */
        const results = [];
        const { text } = await agent.ask("2 + 3?", {
          conversation: "c",
          on: (event) => event.type === "result" && results.push(event.content),
        });
        equal(text, "It is 5.");
        equal(JSON.stringify(results).includes("5"), true);
        equal(servers.servers()[0]?.protocol, revision);
      } finally {
        await servers.close();
      }
    },
    async [`${revision}: a server here answers as a Web handler`]() {
      const server = serverFor();
      const inMemory = revisions[revision]((url, init) => server.handler(new Request(url, init)));
      await callAt("http://localhost/mcp", revision, inMemory);
      await server.close();
    },
  };
}

/** @type {Runs} */
const refusals = {
  async "a server that does not name this page refuses it"({ closed = "" }) {
    const servers = connectTo(closed, (url, init) => fetch(url, init));
    equal((await servers.connect())[0]?.status === "ready", false);
    await servers.close();
  },
};

/**
 * @param {string} url
 * @param {string} revision
 * @param {import("./revisions.js").Fetch} fetch
 */
async function callAt(url, revision, fetch) {
  const servers = connectTo(url, fetch);
  try {
    const [state] = await servers.connect();
    equal(`${state?.status} ${state?.reason ?? ""}`, "ready ");
    equal(state?.protocol, revision);
    equal(state?.tools.join(), "sums__add");
    const { value, isError } = await servers.call("sums", "add", numbers);
    equal(isError, false);
    equal(Number(value), 5);
  } finally {
    await servers.close();
  }
}

/**
 * @param {string} url
 * @param {import("./revisions.js").Fetch} fetch
 */
function connectTo(url, fetch) {
  return mcp({ servers: { sums: { connector: http({ url, fetch }), approval: { "*": "allow" } } } });
}

const numbers = { a: 2, b: 3 };

/**
 * @typedef {{ open: string, closed?: string }} Addresses of a server that this runtime may use, and of one that must refuse its page
 * @typedef {Record<string, (addresses: Addresses) => Promise<void>>} Runs
 */
