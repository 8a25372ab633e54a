import { serve } from "@tooling/loopback";
import { afterEach, describe, expect, it } from "vitest";
import { createFetch } from "./create-fetch.ts";

type Dispatch = (options: { path?: unknown }, handler: unknown) => boolean;

interface Dispatcher {
  constructor: new (options?: object) => Dispatcher;
  dispatch(...parameters: unknown[]): boolean;
  compose(interceptor: (dispatch: Dispatch) => Dispatch): Dispatcher;
}

await fetch("data:,").then((response) => response.text());
const members = globalThis as unknown as Record<symbol, Dispatcher>;
const place = Symbol.for(`undici.globalDispatcher.${Number.parseInt(process.versions.undici ?? "", 10) < 8 ? 1 : 2}`);
const original = members[place];
if (!original) throw new Error("This Node has no global dispatcher.");
const Agent = original.constructor;

afterEach(() => {
  members[place] = original;
});

describe("the limits of Node's own fetch", () => {
  // Shortened from five minutes; Node checks them about once a second.
  const late = () => serve((_request, response) => void setTimeout(() => response.end("late"), 3_000));

  it("do not apply to createFetch: the headers and the next piece of an answer may take longer", async () => {
    members[place] = new Agent({ headersTimeout: 500, bodyTimeout: 500 });
    const { url: lateHeaders } = await late();
    const { url: lateBody } = await serve((_request, response) => {
      response.write("half, ");
      setTimeout(() => response.end("whole"), 3_000);
    });
    // All at once, because each waits for the servers.
    const answers = [fetch(lateHeaders), createFetch()(lateHeaders), fetch(lateBody), createFetch()(lateBody)];
    const [plainHeaders, ownHeaders, plainBody, ownBody] = await Promise.allSettled(
      answers.map(async (answer) => (await answer).text()),
    );
    expect(plainHeaders).toMatchObject({ status: "rejected", reason: { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } } });
    expect(ownHeaders).toEqual({ status: "fulfilled", value: "late" });
    expect(plainBody).toMatchObject({ status: "rejected" });
    expect(ownBody).toEqual({ status: "fulfilled", value: "half, whole" });
  });

  it("apply with a dispatcher of another class, which may lead through a proxy", async () => {
    const agent = new Agent({ headersTimeout: 500 });
    let dispatched = 0;
    class ProxyAgent {
      dispatch(...parameters: unknown[]) {
        dispatched++;
        return agent.dispatch(...parameters);
      }
    }
    members[place] = new ProxyAgent() as unknown as Dispatcher;
    const { url } = await late();
    await expect(createFetch()(url)).rejects.toMatchObject({ cause: { code: "UND_ERR_HEADERS_TIMEOUT" } });
    expect(dispatched).toBe(1);
  });

  it("apply with an agent that has other options, such as certificates or a lookup of hosts", async () => {
    const { port } = await serve((_request, response) => response.end("found"));
    const connect = {
      lookup: (_name: string, _options: object, done: (error: null, addresses: object[]) => void) =>
        done(null, [{ address: "127.0.0.1", family: 4 }]),
    };
    members[place] = new Agent({ connect });
    expect(await (await createFetch()(`http://acme.test:${port}`)).text()).toBe("found");
  });

  it("apply with an agent that has interceptors", async () => {
    const paths: unknown[] = [];
    members[place] = new Agent().compose((dispatch) => (options, handler) => {
      paths.push(options.path);
      return dispatch(options, handler);
    });
    const { url } = await serve((_request, response) => response.end("found"));
    expect(await (await createFetch()(`${url}/path`)).text()).toBe("found");
    expect(paths).toEqual(["/path"]);
  });
});
