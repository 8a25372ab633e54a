import { once } from "node:events";
import * as http from "node:http";
import { connect, createServer } from "node:net";
import { page, serve, serveTcp } from "@tooling/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEgressProxy } from "./egress-proxy.ts";
import { hostRules } from "./host-rules.ts";

async function open(hosts: string[], options: { allow?: string[]; maxBytes?: number; addresses?: string[] } = {}) {
  const { allow = ["127.0.0.1"], maxBytes, addresses = ["127.0.0.1"] } = options;
  const looked: string[] = [];
  const lookup = async (host: string) => {
    looked.push(host);
    return addresses;
  };
  const proxy = openEgressProxy({ rules: hostRules(hosts, allow), lookup, maxBytes });
  const socket = `\0cogency-test-${process.pid}-${Math.random()}`;
  const server = createServer({ allowHalfOpen: true }, (client) => proxy.serve(client));
  await once(server.listen(socket), "listening");
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  return { socket, close: () => proxy.close(), looked };
}

/** Sends text to the proxy and returns everything that it answers until it closes the connection. */
async function talk(socket: string, text: string): Promise<string> {
  const client = connect(socket);
  let answer = "";
  client.on("data", (data) => {
    answer += data;
  });
  client.on("error", () => {});
  client.write(text);
  await once(client, "close");
  return answer;
}

const status = (answer: string) => Number(answer.split(" ")[1]);

describe("openEgressProxy", () => {
  it("opens a tunnel to a listed host and port", async () => {
    const server = await serveTcp((socket) => socket.once("data", (data) => socket.end(`heard ${data}`)));
    const { socket } = await open([`site.example:${server.port}`]);
    const answer = await talk(socket, `CONNECT site.example:${server.port} HTTP/1.1\r\n\r\nhello`);
    expect(answer).toBe("HTTP/1.1 200 Connection established\r\n\r\nheard hello");
  });

  it("forwards http requests with their bodies, without hop-by-hop headers", async () => {
    let seen: http.IncomingMessage | undefined;
    const server = await serve((request, response) => {
      seen = request;
      request.pipe(response);
    });
    const { socket } = await open([`site.example:${server.port}`]);
    const headers = { "proxy-authorization": "Basic eA==", "x-own": "1", connection: "x-hop", "x-hop": "1" };
    const request = http.request({
      socketPath: socket,
      method: "POST",
      path: `http://site.example:${server.port}/a?b`,
      headers,
    });
    request.end("body");
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    const body = (await response.toArray()).join("");
    expect([response.statusCode, body]).toEqual([200, "body"]);
    expect(seen?.url).toBe("/a?b");
    expect(seen?.headers).toMatchObject({ host: `site.example:${server.port}`, "x-own": "1" });
    for (const name of ["proxy-authorization", "x-hop", "authorization", "cookie", "via", "x-forwarded-for"]) {
      expect(seen?.headers).not.toHaveProperty(name);
    }
  });

  it.each([
    ["a host that is not listed", "CONNECT evil.example:PORT HTTP/1.1", 403],
    ["another port", "CONNECT site.example:1 HTTP/1.1", 403],
    ["an address instead of a name", "CONNECT 127.0.0.1:PORT HTTP/1.1", 403],
    ["an address in another spelling", "CONNECT 0x7f.1:PORT HTTP/1.1", 403],
    ["a name below the listed one", "CONNECT a.site.example:PORT HTTP/1.1", 403],
    ["a name with credentials", "CONNECT x@site.example:PORT HTTP/1.1", 403],
    ["no name", "CONNECT :PORT HTTP/1.1", 403],
    ["no port", "CONNECT site.example HTTP/1.1", 403],
    ["a request to a host that is not listed", "GET http://evil.example:PORT/ HTTP/1.1", 403],
    ["a request with another host in its header", "GET http://evil.example:PORT/ HTTP/1.1\r\nHost: site.example", 403],
    ["a request to https", "GET https://site.example:PORT/ HTTP/1.1\r\nHost: a", 400],
    ["a request to itself", "GET / HTTP/1.1\r\nHost: site.example", 400],
    ["a file", "GET file:///etc/passwd HTTP/1.1\r\nHost: a", 400],
  ])("refuses %s", async (_, head, expected) => {
    const server = await serve(page("inside"));
    const { socket } = await open([`site.example:${server.port}`]);
    const host = head.includes("Host:") || head.startsWith("CONNECT") ? "" : "\r\nHost: a";
    const answer = await talk(socket, `${head.replace("PORT", `${server.port}`)}${host}\r\nConnection: close\r\n\r\n`);
    expect(status(answer)).toBe(expected);
    expect(server.connections).toBe(0);
  });

  it.each([
    ["127.0.0.1"],
    ["10.0.0.1"],
    ["169.254.169.254"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["93.184.216.34", "127.0.0.1"],
    ["no address"],
    [],
  ])("refuses a listed name that leads to %j %j", async (...addresses) => {
    const server = await serve(page("inside"));
    const { socket } = await open([`site.example:${server.port}`], { allow: [], addresses });
    const tunnel = await talk(socket, `CONNECT site.example:${server.port} HTTP/1.1\r\n\r\n`);
    const request = await talk(socket, `GET http://site.example:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect([status(tunnel), status(request)]).toEqual([403, 403]);
    expect(server.connections).toBe(0);
  });

  it("connects to the address that it checked, and checks each connection", async () => {
    const server = await serveTcp((socket) => socket.end("x"));
    const { socket, looked } = await open([`site.example:${server.port}`]);
    for (let round = 0; round < 2; round++) await talk(socket, `CONNECT site.example:${server.port} HTTP/1.1\r\n\r\n`);
    expect(looked).toEqual(["site.example", "site.example"]);
  });

  it("does not follow a redirect", async () => {
    const inside = await serve(page("inside"));
    const server = await serve((_, response) => response.writeHead(302, { location: `${inside.url}/` }).end());
    const { socket } = await open([`site.example:${server.port}`]);
    const answer = await talk(
      socket,
      `GET http://site.example:${server.port}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect([status(answer), inside.connections]).toEqual([302, 0]);
  });

  it("ends all connections when the byte limit is reached", async () => {
    const server = await serveTcp((socket) => socket.once("data", () => socket.write(Buffer.alloc(200_000))));
    const { socket } = await open([`site.example:${server.port}`], { maxBytes: 100_000 });
    const head = `CONNECT site.example:${server.port} HTTP/1.1\r\n\r\nx`;
    expect((await talk(socket, head)).length).toBeLessThan(200_000);
    expect(await talk(socket, head)).not.toContain("200");
  });

  it("closes all connections when it is closed", async () => {
    const server = await serveTcp(() => {});
    const { socket, close } = await open([`site.example:${server.port}`]);
    const client = connect(socket);
    client.on("error", () => {});
    client.write(`CONNECT site.example:${server.port} HTTP/1.1\r\n\r\n`);
    await once(client, "data");
    const closed = once(client, "close");
    await close();
    await closed;
    await expect.poll(() => server.open, { timeout: 10_000 }).toBe(0);
  });
});
