import { pointsOf } from "@cogency/protocol/host";
import { UsageError } from "../../base/errors/usage-error.ts";
import { pointRow } from "../points/tree-lines.ts";
import type { SharedCommand } from "./shared-command.ts";

/** `/mark`: names a point of the conversation, so that `/tree`, `/back` and `/fork` find it. */
export const markCommand: SharedCommand = {
  name: "mark",
  argument: "[--at point] <name>",
  help: "name this point of the conversation, so that it is found again; --remove takes a name back; alone: the names",
  complete: () => ["--at", "--remove"],
  async run({ session, view }, argument) {
    const store = await session.store();
    const key = { conversation: session.conversation };
    if (argument === "") {
      const points = pointsOf(await store.load(key));
      if (points.length === 0) return view.remark("No point of this conversation has a name yet: /mark <name>.");
      return view.remark(points.map(({ name, at }) => pointRow(name, at)).join("\n"));
    }
    const { markPoint, unmarkPoint } = await import("../names/mark-point.ts");
    const [, removed] = /^--remove\s+(.+)$/s.exec(argument) ?? [];
    const [, at, placed] = /^--at\s+(\S+)\s+(.+)$/s.exec(argument) ?? [];
    if (removed === undefined && placed === undefined && argument.startsWith("--"))
      throw new UsageError("Write /mark <name>, /mark --at turn:2 <name> or /mark --remove <name>.");
    const lines =
      removed === undefined
        ? await markPoint(key, placed ?? argument, store, at)
        : await unmarkPoint(key, removed, store);
    view.remark(lines.join(" "));
  },
};
