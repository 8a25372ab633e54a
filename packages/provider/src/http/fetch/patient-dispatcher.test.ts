import { afterEach, describe, expect, it } from "vitest";
import { serve } from "../../../test/support/loopback.ts";
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
  // Shortened from five minutes; Node looks at them about once a second.
  const late = () => serve((_request, response) => void setTimeout(() => response.end("late"), 3_000));

  it("do not end a request that createFetch makes: the headers may take longer", async () => {
    members[place] = new Agent({ headersTimeout: 500 });
    const url = await late();
    const [plain, patient] = await Promise.allSettled([
      fetch(url),
      createFetch()(url).then((response) => response.text()),
    ]);
    expect(plain).toMatchObject({ status: "rejected", reason: { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } } });
    expect(patient).toEqual({ status: "fulfilled", value: "late" });
  });

  it("do not end its answer either: the next piece may take longer", async () => {
    members[place] = new Agent({ bodyTimeout: 500 });
    const url = await serve((_request, response) => {
      response.write("half, ");
      setTimeout(() => response.end("whole"), 3_000);
    });
    const texts = [fetch(url), createFetch()(url)].map(async (answer) => (await answer).text());
    const [plain, patient] = await Promise.allSettled(texts);
    expect(plain).toMatchObject({ status: "rejected" });
    expect(patient).toEqual({ status: "fulfilled", value: "half, whole" });
  });

  it("stay those of a dispatcher of another class, which may lead through a proxy", async () => {
    const agent = new Agent({ headersTimeout: 500 });
    let dispatched = 0;
    class ProxyAgent {
      dispatch(...parameters: unknown[]) {
        dispatched++;
        return agent.dispatch(...parameters);
      }
    }
    members[place] = new ProxyAgent() as unknown as Dispatcher;
    await expect(createFetch()(await late())).rejects.toMatchObject({ cause: { code: "UND_ERR_HEADERS_TIMEOUT" } });
    expect(dispatched).toBe(1);
  });

  it("stay those of an agent with options, such as whom to trust or how to find a host", async () => {
    const url = new URL(await serve((_request, response) => response.end("found")));
    const connect = {
      lookup: (_name: string, _options: object, done: (error: null, addresses: object[]) => void) =>
        done(null, [{ address: "127.0.0.1", family: 4 }]),
    };
    members[place] = new Agent({ connect });
    expect(await (await createFetch()(`http://acme.test:${url.port}`)).text()).toBe("found");
  });

  it("stay those of an agent with interceptors", async () => {
    const paths: unknown[] = [];
    members[place] = new Agent().compose((dispatch) => (options, handler) => {
      paths.push(options.path);
      return dispatch(options, handler);
    });
    const url = await serve((_request, response) => response.end("found"));
    expect(await (await createFetch()(`${url}/path`)).text()).toBe("found");
    expect(paths).toEqual(["/path"]);
  });
});
