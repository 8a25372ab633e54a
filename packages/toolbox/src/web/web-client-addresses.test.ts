import { page, serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { errorOf } from "../../test/web/error-of.ts";
import { hostileUrls } from "../../test/web/hostile-urls.ts";
import { createWebClient } from "./web-client.ts";

const site = "site.example";
const refusedCodes = ["address_refused", "scheme_refused", "url_invalid"];

describe("createWebClient: addresses", () => {
  it.each(hostileUrls)("refuses %j: %s", async (template) => {
    const inside = await serve(page("inside"));
    const url = template.replace("PORT", `${inside.port}`);
    const error = await errorOf(createWebClient({ lookup: async () => ["127.0.0.1"] }).get(url));
    expect(refusedCodes).toContain(error.code);
    expect(error.message).not.toContain("secret");
    expect(inside.connections).toBe(0);
  });

  it.each(hostileUrls)("refuses a redirect to %j: %s", async (template) => {
    const inside = await serve(page("inside", "text/plain"), "127.0.0.2");
    const server = await serve((_request, response) => {
      const location = Buffer.from(template.replace("PORT", `${inside.port}`)).toString("latin1");
      response.writeHead(302, { location: location.replace(/[\0\n\t]/g, "") }).end();
    });
    const lookup = async (host: string) => (host === site ? ["127.0.0.1"] : ["127.0.0.2"]);
    const client = createWebClient({ allow: [site], lookup });
    const error = await errorOf(client.get(`http://${site}:${server.port}/start`));
    // Without a scheme it is a path of the site itself, which redirects again.
    expect([...refusedCodes, "too_many_redirects"]).toContain(error.code);
    expect(inside.connections).toBe(0);
  });

  it("gives the same message for an open and a closed port, and for an inner and an unknown name", async () => {
    const inside = await serve(page("inside"));
    const client = createWebClient({
      lookup: async (host) => {
        if (host.startsWith("db.")) return ["10.0.0.7"];
        throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
      },
    });
    const open = await errorOf(client.get(`http://127.0.0.1:${inside.port}/`));
    const closed = await errorOf(client.get("http://127.0.0.1:1/"));
    expect([open.message, open.code]).toEqual([closed.message, closed.code]);
    const known = await errorOf(client.get("http://db.corp.example/"));
    const unknown = await errorOf(client.get("http://no.corp.example/"));
    expect([known.code, unknown.code]).toEqual(["address_refused", "not_found"]);
    expect(known.message.replace("db.", "")).toBe(unknown.message.replace("no.", ""));
  });

  it("connects to the address that it checked, even if the name resolves differently the next time", async () => {
    const inside = await serve(page("inside", "text/plain"));
    const outside = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).end("outside");
    }, "127.0.0.2");
    const answers = [["127.0.0.2"], ["127.0.0.1"]];
    const client = createWebClient({ allow: ["127.0.0.2"], lookup: async () => answers.shift() ?? [] });
    expect(await client.get(`http://rebind.example:${outside.port}/`)).toMatchObject({ text: "outside" });
    expect(answers).toHaveLength(1);
    expect(await errorOf(client.get(`http://rebind.example:${inside.port}/`))).toMatchObject({
      code: "address_refused",
    });
    expect(inside.connections).toBe(0);
  });

  it("checks the name again at a redirect to the same host", async () => {
    const server = await serve(
      (_request, response) => response.writeHead(302, { location: "/next" }).end(),
      "127.0.0.2",
    );
    const answers = [["127.0.0.2"], ["127.0.0.1"]];
    const client = createWebClient({ allow: ["127.0.0.2"], lookup: async () => answers.shift() ?? [] });
    const error = await errorOf(client.get(`http://rebind.example:${server.port}/`));
    expect([error.code, server.connections]).toEqual(["address_refused", 1]);
  });

  it.each([
    [["127.0.0.2", "127.0.0.1"]],
    [["127.0.0.1", "127.0.0.2"]],
    [["127.0.0.2", "::1"]],
    [["127.0.0.2", "::ffff:127.0.0.2"]],
    [["127.0.0.2", "no address"]],
    [["localhost"]],
    [[]],
  ])("refuses a name with the answers %j, of which not all are public", async (answers) => {
    const server = await serve(page("text"), "127.0.0.2");
    const client = createWebClient({ allow: ["127.0.0.2"], lookup: async () => answers });
    const error = await errorOf(client.get(`http://mixed.example:${server.port}/`));
    expect(["address_refused", "not_found"]).toContain(error.code);
    expect(server.connections).toBe(0);
  });

  it("does not ask a name server about an address", async () => {
    const asked: string[] = [];
    const lookup = async (host: string) => {
      asked.push(host);
      return ["127.0.0.1"];
    };
    const server = await serve(page("here", "text/plain"));
    const client = createWebClient({ allow: ["127.0.0.1"], lookup });
    expect((await client.get(server.url)).text).toBe("here");
    expect(asked).toEqual([]);
  });

  it.each([{ timeout: 0 }, { timeout: Number.NaN }, { timeout: Number.POSITIVE_INFINITY }, { maxBytes: -1 }])(
    "refuses the options %j",
    (options) => {
      expect(() => createWebClient(options)).toThrow(expect.objectContaining({ code: "option_invalid" }));
    },
  );
});
