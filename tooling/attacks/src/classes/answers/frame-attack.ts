import { createHash } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import type { Attack } from "../../harness/attack.ts";
import { drained } from "../../harness/flood.ts";
import type { Place } from "../../harness/place.ts";
import { askVictim, mostGrown } from "./ask-victim.ts";

export const frameAttack: Attack = {
  name: "flood, realtime: a frame of a gigabyte",
  isDear: true,
  async run(place) {
    const report = await askVictim(place, ["realtime", "connect", `http://127.0.0.1:${await socketFlood(place)}/v1`]);
    if (typeof report === "string") return report;
    return report.grown > mostGrown ? `memory grew by ${report.grown} MiB` : undefined;
  },
};

/** Serves web sockets: upgrades, then announces a frame of a gigabyte and sends half of it. */
function socketFlood(place: Place): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", async (head) => {
      const key = /sec-websocket-key: (.*)\r/i.exec(String(head))?.[1] ?? "";
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      const header = Buffer.alloc(10);
      header.writeUInt8(0x81, 0);
      header.writeUInt8(127, 1);
      header.writeBigUInt64BE(BigInt(2 ** 30), 2);
      socket.write(header);
      const piece = Buffer.alloc(65_536, "x");
      for (let sent = 0; sent < 2 ** 29 && !socket.destroyed; sent += piece.length) {
        if (!socket.write(piece)) await drained(socket);
      }
      socket.destroy();
    });
  });
  place.onEnd(() => server.close());
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}
