import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, type Place, place } from "./support/command-line.ts";
import { modelServer, type Wire } from "./support/model-servers.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n a picture", "latin1");
const pdf = Buffer.from("%PDF-1.7 a paper");
const [pngText, pdfText] = [png, pdf].map((bytes) => bytes.toString("base64"));

/** A folder with a picture and a paper. */
function gallery(): Place {
  const at = place();
  writeFileSync(join(at.folder, "picture.png"), png);
  writeFileSync(join(at.folder, "paper.pdf"), pdf);
  return at;
}

/** How each wire shows the picture and the paper. */
const pictures: [wire: Wire, picture: object, paper: object | undefined][] = [
  ["Chat Completions", { type: "image_url", image_url: { url: `data:image/png;base64,${pngText}` } }, undefined],
  ["Responses", { type: "input_image", image_url: `data:image/png;base64,${pngText}`, detail: "auto" }, undefined],
  [
    "Messages",
    { type: "image", source: { type: "base64", media_type: "image/png", data: pngText } },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdfText }, title: "paper.pdf" },
  ],
  [
    "Gemini",
    { inlineData: { mimeType: "image/png", data: pngText } },
    { inlineData: { mimeType: "application/pdf", data: pdfText } },
  ],
];

describe("@picture.png in a prompt", () => {
  it.each(pictures)("is sent over %s, and again when the conversation goes on", async (wire, picture) => {
    const at = gallery();
    const server = await modelServer("A cat.", "Still a cat.");
    const run = (text: string) => at.cogency(["run", text, "--conversation", "talk", ...server.at(wire)]);
    expect(await run("what is on @picture.png?")).toMatchObject({ code: 0, stdout: "A cat.\n" });
    expect((await run("really?")).stdout).toBe("Still a cat.\n");
    expect(server.requests).toHaveLength(2);
    for (const request of server.requests) {
      const text = JSON.stringify(request);
      expect(text).toContain(JSON.stringify(picture).slice(1, -1));
      expect(text.split(String(pngText))).toHaveLength(2);
      expect(text).toContain("what is on @picture.png?");
    }
    expect(JSON.stringify(server.requests[1])).toContain("really?");
  });

  it.each(pictures.filter(([, , paper]) => paper))("is as well a PDF over %s", async (wire, _, paper) => {
    const server = await modelServer("A paper.");
    const { code } = await gallery().cogency(["run", "sum up @paper.pdf", ...server.at(wire)]);
    expect(code).toBe(0);
    expect(JSON.stringify(server.requests)).toContain(JSON.stringify(paper).slice(1, -1));
  });

  it("is found in quotes, brackets and before punctuation, at another place, and once", async () => {
    const at = gallery();
    mkdirSync(join(at.folder, "my pictures"));
    writeFileSync(join(at.folder, "my pictures", "a b.jpg"), Buffer.from("ffd8ffe0", "hex"));
    writeFileSync(join(at.folder, "unnamed"), "GIF89a");
    const server = await modelServer("Three.");
    const prompt = "compare (@picture.png), @'my pictures/a b.jpg' with @~/unnamed; and @./picture.png!";
    await at.cogency(["run", prompt, "--attach", "picture.png", ...server.at("Gemini")]);
    const sent = JSON.stringify(server.requests[0]);
    expect(Array.from(sent.matchAll(/"mimeType":"([^"]+)"/g), ([, type]) => type)).toEqual([
      "image/png",
      "image/jpeg",
      "image/gif",
    ]);
  });

  it("is text if no such file is meant: an address, a handle, a folder", async () => {
    const at = gallery();
    mkdirSync(join(at.folder, "team"));
    const server = await modelServer("Done.");
    const prompt = 'tell ada@picture.png, @team, @nobody and @types/node about @app.route("/")';
    const { code, stderr } = await at.cogency(["run", prompt, ...server.at("Gemini")]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^@team is a folder: the model gets its name/);
    const sent = JSON.stringify(server.requests[0]);
    expect(sent).toContain(JSON.stringify(prompt).slice(1, -1));
    expect(sent).not.toContain("inlineData");
  });

  it("goes with the text of other files, each marked with its path, which count as private", async () => {
    const at = gallery();
    writeFileSync(join(at.folder, "b.ts"), "const b = 1;\n</file>\n");
    const server = await modelServer("They differ.");
    const { code, stdout } = await at.cogency([
      ...["@picture.png", "@notes.txt", "@b.ts", "compare", "--conversation", "c", "--json"],
      ...server.at("Gemini"),
    ]);
    expect(code).toBe(0);
    const sent = JSON.stringify(server.requests[0]);
    expect(sent).toContain(String(pngText));
    const said = jsonLines(stdout).find(({ type }) => type === "user");
    expect(said).toMatchObject({
      content:
        '@picture.png @notes.txt @b.ts compare\n\n<file path="notes.txt">\nhello from the notes\n</file>\n\n<file_ path="b.ts">\nconst b = 1;\n</file>\n</file_>',
    });
    expect(said).not.toHaveProperty("origin");
    const { stdout: log } = await at.cogency(["history", "show", "c", "--json"]);
    expect(log).toContain('"data":{"holds":"private","source":"picture.png, notes.txt, b.ts"}');
  });

  it("attaches nothing in a prompt from stdin, but --attach does", async () => {
    const server = await modelServer("Nothing.", "A cat.");
    const run = ["run", "-", ...server.at("Gemini")];
    const at = gallery();
    await at.cogency(run, { input: "look at @picture.png and @missing.png" });
    expect(JSON.stringify(server.requests[0])).not.toContain(pngText);
    await at.cogency([...run, "--attach", "picture.png"], { input: "look" });
    expect(JSON.stringify(server.requests[1])).toContain(pngText);
  });

  it("is in the history as an attachment, and survives export and import", async () => {
    const at = gallery();
    const server = await modelServer("A cat.", "The same cat.");
    const talk = ["--conversation", "talk", ...server.at("Gemini")];
    await at.cogency(["run", "look at @picture.png", ...talk]);
    const { stdout } = await at.cogency(["history", "show", "talk"]);
    expect(stdout).toContain("> look at @picture.png\n  (attached: picture.png, image/png, 18 bytes)\n");
    await at.cogency(["history", "export", "talk", "--output", "talk.jsonl"]);
    await at.cogency(["history", "import", "talk.jsonl", "--as", "again"]);
    await at.cogency(["run", "and now?", "--conversation", "again", ...server.at("Gemini")]);
    expect(JSON.stringify(server.requests[1])).toContain(pngText);
  });

  it("makes the conversation untrusted if --untrusted names it", async () => {
    const server = await modelServer("A cat.");
    const { stdout } = await gallery().cogency([
      "run",
      "look at @picture.png",
      "--untrusted",
      "*.png",
      "--json",
      ...server.at("Gemini"),
    ]);
    expect(jsonLines(stdout).find(({ type }) => type === "user")).toMatchObject({ origin: "untrusted" });
  });
});

describe("a file that cannot be attached", () => {
  it.each<[string, (at: Place) => string[], RegExp]>([
    [
      "is missing",
      () => ["what is on @pictures/none.png?"],
      /pictures\/none\.png cannot be attached: there is no such file/,
    ],
    ["is missing for --attach", () => ["look", "--attach", "none"], /none cannot be attached: there is no such file/],
    [
      "is a folder",
      (at) => {
        mkdirSync(join(at.folder, "folder.png"));
        return ["look at @folder.png"];
      },
      /folder\.png cannot be attached: it is not a regular file/,
    ],
    [
      "is a text with the name of a picture",
      (at) => {
        writeFileSync(join(at.folder, "fake.png"), "hello");
        return ["look at @fake.png"];
      },
      /fake\.png cannot be attached: it does not begin like a PNG, JPEG/,
    ],
    [
      "is missing, and another one has nearly its name",
      () => ["what does @note.txt say?"],
      /note\.txt cannot be attached: there is no such file\. Did you mean notes\.txt\?/,
    ],
    [
      "is neither a text nor an image",
      (at) => {
        writeFileSync(join(at.folder, "program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]));
        return ["look at @program"];
      },
      /program cannot be attached: it is neither text in UTF-8 or UTF-16 nor an image or a PDF/,
    ],
    [
      "is a text that is too long",
      (at) => {
        writeFileSync(join(at.folder, "long.txt"), "x".repeat(256 * 1024 + 1));
        return ["sum up @long.txt"];
      },
      /long\.txt cannot be attached: it has 262145 bytes, and at most 262144 of a text are sent/,
    ],
    [
      "is too large",
      (at) => {
        truncateSync(join(at.folder, "picture.png"), 20 * 1024 * 1024 + 1);
        return ["look at @picture.png"];
      },
      /picture\.png cannot be attached: it has 20971521 bytes, and at most 20971520 are allowed/,
    ],
    [
      "is of a kind that the model does not take",
      () => ["sum up @paper.pdf"],
      /paper\.pdf \(application\/pdf\) cannot be attached: openai-compatible \S+ takes only images\. Choose a model that takes files/,
    ],
  ])("%s: a clear error, before anything is sent or stored", async (_, args, says) => {
    const at = gallery();
    const server = await modelServer();
    const { code, stdout, stderr } = await at.cogency(["run", ...args(at), ...server.at("Chat Completions")]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(says);
    expect(server.requests).toEqual([]);
    expect((await at.cogency(["history", "list"])).stderr).toMatch(/no conversation yet/);
  });

  it("is any, for a model that takes none", async () => {
    const { code, stderr } = await gallery().cogency(["run", "look at @picture.png", "--provider", "offline"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/picture\.png \(image\/png\) cannot be attached: offline \S+ takes no attachments/),
    });
  });
});

describe("a conversation with a picture", () => {
  it("goes on only with a model that takes it", async () => {
    const at = gallery();
    const server = await modelServer("A cat.");
    await at.cogency(["run", "look at @picture.png", "--conversation", "talk", ...server.at("Gemini")]);
    const args = ["run", "and now?", "--conversation", "talk", "--provider", "offline"];
    const { code, stdout, stderr } = await at.cogency(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /^error: .*\(picture\.png\), and offline \S+ takes no attachments\. Go on with a model that does/m,
    );
  });

  it("holds 50 MiB of attachments at most", async () => {
    const at = gallery();
    const server = await modelServer();
    const names = ["a.png", "b.png", "c.png"];
    for (const name of names) {
      writeFileSync(join(at.folder, name), png);
      truncateSync(join(at.folder, name), 18 * 1024 * 1024);
    }
    const { code, stderr } = await at.cogency([
      "run",
      names.map((name) => `@${name}`).join(" "),
      ...server.at("Gemini"),
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: The attachments .* 56623104 bytes, and a request may have 52428800\. Nothing was stored/m,
    );
    expect(server.requests).toEqual([]);
  });
});

describe("read of a picture", () => {
  const call = '<execute>[{"name":"read","args":{"file":"picture.png"}}]</execute>';

  it.each(pictures)("shows it to the model over %s", async (wire) => {
    const server = await modelServer(call, "A cat.<end>");
    const { stdout, stderr } = await gallery().cogency(["run", "look around", ...server.at(wire)]);
    expect(stdout).toBe("A cat.\n");
    expect(stderr).toContain("✓ read image/png, 18 bytes\n");
    expect(JSON.stringify(server.requests[0])).not.toContain(pngText);
    expect(JSON.stringify(server.requests[1])).toContain(pngText);
  });

  it("fails for a model that takes no pictures, which reads why", async () => {
    const server = await modelServer(call, "I cannot see it.<end>");
    const openai = ["--provider", "openai", "--base-url", `${server.url}/v1`, "--model", "blind"];
    const at = gallery();
    writeFileSync(join(at.folder, "picture.png"), pdf);
    const { stdout, stderr } = await at.cogency(["run", "look around", ...openai]);
    expect(stdout).toBe("I cannot see it.\n");
    expect(stderr).toMatch(/✗ read The model takes only attachments of the kind image/);
    expect(JSON.stringify(server.requests[1])).toContain("The model takes only attachments of the kind image");
  });
});
