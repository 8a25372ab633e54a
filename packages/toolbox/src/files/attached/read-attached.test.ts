import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createExecutor, createRegistry, toToolResult } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { openRoot } from "../confine/root.ts";
import { readTool } from "../read-tool.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n and so on", "latin1");
const picture = { kind: "image", mediaType: "image/png", data: png.toString("base64") };

describe("read of an image or a PDF", () => {
  const ground = grounds();
  const put = (name: string, content: string | Uint8Array) => writeFile(join(ground.root, name), content);
  /** The result that the model reads, of a model that takes these kinds. */
  const read = async (file: string, kinds?: ("image" | "file")[], untrusted: string[] = []) => {
    const root = await openRoot(ground.root, { access: "project", untrusted });
    const executor = createExecutor({ registry: createRegistry([readTool(root)]), attachments: { kinds } });
    const [execution] = await executor.run([{ name: "read", args: { file } }], { conversation: "test" });
    if (!execution) throw new Error("The call left no execution.");
    return { ...toToolResult(execution), brings: execution.brings };
  };

  it("attaches it, and says what it is, whatever its name", async () => {
    await put("picture.txt", png);
    expect(await read("picture.txt")).toMatchObject({
      status: "success",
      content: { mediaType: "image/png", bytes: png.length },
      attachments: [{ ...picture, name: "picture.txt" }],
    });
    await put("paper.pdf", "%PDF-1.7");
    expect((await read("paper.pdf")).attachments).toMatchObject([{ kind: "file", mediaType: "application/pdf" }]);
    await put("text.png", "hello");
    expect(await read("text.png")).toMatchObject({ content: "hello" });
  });

  it("fails where the model does not take it, and says what it takes", async () => {
    await put("a.png", png);
    expect(await read("a.png", [])).toMatchObject({
      status: "failure",
      content: 'The model takes no attachments, and attachment 1, "a.png", is of the kind image.',
    });
    await put("a.pdf", "%PDF-1.7");
    const { status, content, attachments } = await read("a.pdf", ["image"]);
    expect({ status, attachments }).toEqual({ status: "failure", attachments: undefined });
    expect(content).toMatch(/only attachments of the kind image/);
  });

  it("fails for one that is too large, without reading all of it", async () => {
    await put("large.png", png);
    await put("large.pdf", "%PDF-1.7");
    await truncate(join(ground.root, "large.png"), 3_932_161);
    await truncate(join(ground.root, "large.pdf"), 10_485_761);
    const advice = "that can be attached. Make a smaller copy, or go on without it.";
    expect(await read("large.png")).toMatchObject({
      status: "failure",
      content: `"large.png" (image/png) has more than the 3932160 bytes ${advice}`,
    });
    expect(await read("large.pdf")).toMatchObject({
      status: "failure",
      content: `"large.pdf" (application/pdf) has more than the 10485760 bytes ${advice}`,
    });
    await truncate(join(ground.root, "large.png"), 3_932_160);
    expect(await read("large.png")).toMatchObject({ content: { bytes: 3_932_160 } });
  });

  it("stays inside the root", async () => {
    await writeFile(join(ground.outside, "secret.txt"), png);
    for (const file of ["link-file", "../outside/secret.txt", "link-folder/secret.txt"]) {
      const { status, content, attachments } = await read(file);
      expect({ status, attachments }).toEqual({ status: "failure", attachments: undefined });
      expect(content).toMatch(/outside the root|out of the root/);
    }
  });

  it("makes the conversation hold what the file brings, like a text", async () => {
    await put("a.png", png);
    const held = async (untrusted: string[]) =>
      (await read("a.png", undefined, untrusted)).brings?.map(({ holds }) => holds);
    expect(await held([])).toEqual(["private"]);
    expect(await held(["*.png"])).toEqual(["private", "untrusted"]);
  });
});
