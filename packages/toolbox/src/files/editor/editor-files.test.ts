import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { createExecutor, createRegistry, type ToolExecution } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { FakeEditor } from "../../../test/editor/fake-editor.ts";
import { contents, grounds } from "../../../test/grounds.ts";
import { toolbox } from "../../toolbox.ts";
import { openUndo } from "../../undo/open-undo.ts";
import type { Access } from "../confine/root.ts";
import type { TextFiles } from "./text-files.ts";

const ground = grounds();
const at = (file: string) => join(ground.root, file);
const disk = (file: string) => readFileSync(at(file), "utf8");
const include = ["read", "write", "edit", "replace", "find", "list"] as const;
type Call = [name: (typeof include)[number], args: JsonObject];

/** Runs calls as an agent does: each is judged, then it runs. */
async function run(
  files: TextFiles,
  calls: Call[],
  options: { access?: Access; guarded?: string[]; host?: string } = {},
) {
  const { access = "project", guarded = [], host = ground.host } = options;
  const undo = openUndo({ folder: join(ground.outside, "copies") });
  const tools = await toolbox({ root: host, access, guarded, include, files, undo });
  const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });
  const executions: ToolExecution[] = [];
  for (const [name, args] of calls) executions.push(...(await executor.run([{ name, args }], { conversation: "c" })));
  return { executions, undo };
}

async function one(files: TextFiles, call: Call, options?: Parameters<typeof run>[2]): Promise<ToolExecution> {
  const { executions } = await run(files, [call], options);
  return executions[0] as ToolExecution;
}

const read = (file: string): Call => ["read", { file }];
const edit = (file: string, old: string, to: string): Call => ["edit", { file, edits: [{ old, new: to }] }];
const write = (file: string, content: string, overwrite = true): Call => ["write", { file, content, overwrite }];

describe("an editor with texts that are not saved", () => {
  it("is what the model reads, page by page as a file is", async () => {
    const editor = new FakeEditor();
    editor.type(at("config.json"), "one\ntwo\nthree");
    expect((await one(editor, read("config.json"))).value).toBe("one\ntwo\nthree");
    const page = await one(editor, ["read", { file: "config.json", from: 2, lines: 1 }]);
    expect(page.value).toEqual({ text: "two\n", from: 2, to: 2, total: 3, next: { from: 3 } });
    expect((await one(editor, ["read", { file: "config.json", from: 9 }])).error).toMatchObject({
      code: "range_invalid",
    });
  });

  it("is what an edit changes, and the editor writes it with what the person has typed", async () => {
    const editor = new FakeEditor();
    editor.type(at("config.json"), '// typed\n{"api": "old.com"}');
    const { value } = await one(editor, edit("config.json", "old.com", "new.com"));
    expect(value).toEqual({ file: "config.json", replaced: 1, lines: [[2, 2]] });
    expect(disk("config.json")).toBe('// typed\n{"api": "new.com"}');
    expect(editor.buffers.get(at("config.json"))).toBe(disk("config.json"));
  });

  it("refuses an edit of a text that the person has deleted there, and one that changes between the last look and the writing", async () => {
    const editor = new FakeEditor();
    editor.type(at("config.json"), "{}");
    expect((await one(editor, edit("config.json", "old.com", "new.com"))).error).toMatchObject({ code: "edit_failed" });
    let reads = 0;
    editor.reads = (path, honest) => {
      reads += 1;
      const text = honest();
      // As the person types while the call runs.
      editor.type(path, `${text} `);
      return text;
    };
    expect((await one(editor, edit("config.json", "{}", "[]"))).error).toMatchObject({ code: "path_changed" });
    expect(reads).toBeGreaterThan(1);
    expect(editor.asked.filter((asked) => asked.startsWith("write"))).toEqual([]);
    expect(disk("config.json")).toBe('{"api": "old.com"}');
  });

  it("keeps what was not saved for an undo, also where the model replaces the whole file", async () => {
    const editor = new FakeEditor();
    editor.type(at("config.json"), "typed");
    const { executions, undo } = await run(editor, [write("config.json", "new")]);
    expect(executions[0]?.outcome).toBe("success");
    const [entry] = await undo.entries({ conversation: "c" });
    await undo.undo({ conversation: "c" }, { from: entry?.id ?? "" });
    expect(disk("config.json")).toBe("typed");
  });

  it("can be undone where the editor formats what it saves, and the result says that it does", async () => {
    const editor = new FakeEditor({ formats: (text) => text.replaceAll(" ", "") });
    const { executions, undo } = await run(editor, [edit("config.json", "old", "new"), read("config.json")]);
    expect(executions[0]?.value).toMatchObject({ replaced: 1, note: expect.stringContaining("formatting") });
    expect(executions[1]?.value).toBe('{"api":"new.com"}');
    const [entry] = await undo.entries({ conversation: "c" });
    expect(await undo.undo({ conversation: "c" }, { from: entry?.id ?? "" })).toMatchObject({ left: [] });
    expect(disk("config.json")).toBe('{"api": "old.com"}');
  });

  it("has a file that was never saved: it is read and edited, not made a second time, and an empty one is none", async () => {
    const editor = new FakeEditor();
    editor.type(at("new/draft.md"), "draft");
    editor.type(at("empty.md"), "");
    const { executions } = await run(editor, [
      read("new/draft.md"),
      write("new/draft.md", "mine", false),
      edit("new/draft.md", "draft", "text"),
      read("empty.md"),
      write("empty.md", "mine", false),
    ]);
    expect(executions.map(({ error, value }) => (error as { code?: string } | undefined)?.code ?? value)).toEqual([
      "draft",
      "exists",
      { file: "new/draft.md", replaced: 1, lines: [[1, 1]] },
      "not_found",
      { file: "empty.md", bytes: 4, created: true },
    ]);
    expect([disk("new/draft.md"), disk("empty.md")]).toEqual(["text", "mine"]);
  });

  it("is not what find sees, and a replace of such a file is refused as a whole", async () => {
    const editor = new FakeEditor();
    editor.type(at("src/main.ts"), "typed");
    expect((await one(editor, ["find", { content: "typed" }])).value).toMatchObject({ matches: [] });
    const before = await contents(ground.root);
    const { error } = await one(editor, ["replace", { find: "part", with: "piece", path: "src" }]);
    expect(error).toMatchObject({ code: "unsaved", path: "src/main.ts" });
    expect(await contents(ground.root)).toEqual(before);
    editor.save(at("src/main.ts"));
    const { value } = await one(editor, ["replace", { find: "part", with: "piece", path: "src" }]);
    expect(value).toMatchObject({ total: 1 });
  });

  it("gets a new file, whole on the disk whatever it does with it", async () => {
    const editor = new FakeEditor();
    editor.writes = (path, _, __) => {
      writeFileSync(path, "");
      throw new Error("closed");
    };
    expect((await one(editor, write("a/b.md", "text", false))).value).toEqual({
      file: "a/b.md",
      bytes: 4,
      created: true,
    });
    expect(disk("a/b.md")).toBe("text");
    expect(editor.asked).toContain(`write ${at("a/b.md")}`);
  });

  it("that has not seen yet what another program wrote does not hide it, nor bring the old text back", async () => {
    const editor = new FakeEditor();
    const { executions } = await run(editor, [read("config.json")]);
    expect(executions[0]?.outcome).toBe("success");
    const tools = await toolbox({ root: ground.host, access: "project", include, files: editor });
    const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });
    const call = async ([name, args]: Call) =>
      (await executor.run([{ name, args }], { conversation: "c" }))[0] as ToolExecution;
    await call(read("config.json"));
    await writeFile(at("config.json"), "by a command");
    expect((await call(read("config.json"))).value).toBe("by a command");
    expect((await call(edit("config.json", "command", "call"))).outcome).toBe("success");
    expect(disk("config.json")).toBe("by a call");
    // Both have changed: neither may be lost.
    editor.reload(at("config.json"));
    await call(read("config.json"));
    await writeFile(at("config.json"), "by another command");
    editor.type(at("config.json"), "by the person");
    expect((await call(edit("config.json", "person", "model"))).error).toMatchObject({ code: "unsaved" });
    expect(disk("config.json")).toBe("by another command");
  });

  it("keeps the line ends of a file that it shows with LF, and says so if it loses them", async () => {
    await writeFile(at("dos.txt"), "one\r\ntwo\r\n");
    const keeps = new FakeEditor({ unifiesLineEnds: true });
    expect((await one(keeps, edit("dos.txt", "two", "three\nfour"))).value).not.toHaveProperty("note");
    expect(disk("dos.txt")).toBe("one\r\nthree\r\nfour\r\n");
    const loses = new FakeEditor({ formats: (text) => text.replaceAll("\r\n", "\n") });
    const { value } = await one(loses, edit("dos.txt", "four", "five"));
    expect(value).toMatchObject({ note: expect.stringContaining("other line ends") });
    expect(disk("dos.txt")).toBe("one\nthree\nfive\n");
  });

  it("that cannot write leaves a file with unsaved changes alone; the others change on the disk", async () => {
    const editor = new FakeEditor();
    const reader = { read: editor.read };
    expect((await one(reader, edit("config.json", "old", "new"))).outcome).toBe("success");
    editor.reload(at("config.json"));
    editor.type(at("config.json"), "typed");
    for (const call of [edit("config.json", "typed", "x"), write("config.json", "x")])
      expect((await one(reader, call)).error).toMatchObject({ code: "unsaved" });
    expect(disk("config.json")).toBe('{"api": "new.com"}');
  });

  it("that can only write is not asked: what it would overwrite is not known", async () => {
    const editor = new FakeEditor();
    editor.type(at("config.json"), "typed");
    expect((await one({ write: editor.write }, edit("config.json", "old", "new"))).outcome).toBe("success");
    expect(editor.asked).toEqual([]);
    expect(editor.buffers.get(at("config.json"))).toBe("typed");
  });
});

describe("an editor that answers badly", () => {
  type Worse = (editor: FakeEditor) => void;
  const old = '{"api": "old.com"}';
  it.each<[string, Worse, string, string]>([
    [
      "knows no file: the disk is read and changed",
      (editor) => {
        editor.reads = () => {
          throw new Error("outside of the workspace");
        };
      },
      "success",
      "new",
    ],
    [
      "hangs",
      (editor) => {
        editor.reads = () => new Promise<string>(() => {});
      },
      "editor_failed",
      old,
    ],
    [
      "gives no text",
      (editor) => {
        editor.reads = () => ({}) as string;
      },
      "editor_failed",
      old,
    ],
    [
      "gives NUL",
      (editor) => {
        editor.reads = () => "old.com\0";
      },
      "not_text",
      old,
    ],
    [
      "gives half characters",
      (editor) => {
        editor.reads = () => "old.com\ud800";
      },
      "not_text",
      old,
    ],
    [
      "gives a huge text",
      (editor) => {
        editor.reads = () => `old.com${"x".repeat(20_000_000)}`;
      },
      "too_large",
      old,
    ],
    [
      "refuses to write",
      (editor) => {
        editor.writes = () => {
          throw new Error("read only");
        };
      },
      "editor_failed",
      old,
    ],
    [
      "says that it has written, and has not",
      (editor) => {
        editor.writes = () => {};
      },
      "editor_failed",
      old,
    ],
    [
      "hangs before it writes",
      (editor) => {
        editor.writes = () => new Promise<void>(() => {});
      },
      "partly_changed",
      old,
    ],
    [
      "hangs after it has written",
      (editor) => {
        editor.writes = (_, __, honest) => {
          honest();
          return new Promise<void>(() => {});
        };
      },
      "success",
      "new",
    ],
    [
      "closes in the middle of writing",
      (editor) => {
        editor.writes = (path, text) => {
          writeFileSync(path, text.slice(0, 5));
          throw new Error("closed");
        };
      },
      "editor_failed",
      old,
    ],
    [
      "closes when it has emptied the file",
      (editor) => {
        editor.writes = (path) => {
          writeFileSync(path, "");
          throw new Error("closed");
        };
      },
      "editor_failed",
      old,
    ],
    [
      "writes something else, and fails",
      (editor) => {
        editor.writes = (path) => {
          writeFileSync(path, "else");
          throw new Error("closed");
        };
      },
      "partly_changed",
      "else",
    ],
    [
      "does not save what it takes",
      (editor) => {
        editor.writes = (path, text) => editor.type(path, text);
      },
      "not saved",
      old,
    ],
  ])("%s", async (_, worsen, outcome, now) => {
    const editor = new FakeEditor({ timeout: 500 });
    worsen(editor);
    const { error, value, outcome: ended } = await one(editor, edit("config.json", "old.com", "new.com"));
    const code = (error as { code?: string } | undefined)?.code;
    const note = (value as { note?: string } | undefined)?.note;
    expect(code ?? (note?.includes("not saved") ? "not saved" : ended)).toBe(outcome);
    expect(disk("config.json")).toBe(now === "new" ? '{"api": "new.com"}' : now);
  });

  it("leaves what the person had typed where it breaks off in the middle of writing", async () => {
    const editor = new FakeEditor();
    editor.type(at("config.json"), "typed, not saved");
    editor.writes = (path) => {
      writeFileSync(path, "typed");
      throw new Error("closed");
    };
    expect((await one(editor, edit("config.json", "saved", "there"))).error).toMatchObject({ code: "editor_failed" });
    expect(disk("config.json")).toBe("typed, not saved");
  });

  it("does not hold up a call that is cancelled", async () => {
    const editor = new FakeEditor();
    editor.reads = () => new Promise<string>(() => {});
    const tools = await toolbox({ root: ground.host, access: "project", include, files: editor });
    const executor = createExecutor({ registry: createRegistry(tools) });
    const cancel = new AbortController();
    const running = executor.run([{ name: "read", args: { file: "config.json" } }], {
      conversation: "c",
      signal: cancel.signal,
    });
    await expect.poll(() => editor.asked.length, { timeout: 60_000 }).toBeGreaterThan(0);
    cancel.abort(new DOMException("stop", "AbortError"));
    expect((await running)[0]?.outcome).toBe("cancelled");
  });
});

describe("what an editor is asked", () => {
  it.each([
    ["outside of the root", "../outside/secret.txt"],
    ["behind a link that leads out", "link-file"],
    ["that is guarded", "src/main.ts"],
    ["that is a folder", "src"],
    ["that is no regular file", "pipe"],
    ["that does not exist, behind a file", "config.json/x"],
  ])("is no path %s", async (_, file) => {
    const editor = new FakeEditor();
    editor.reads = () => "from the editor";
    for (const call of [read(file), edit(file, "a", "b"), write(file, "x")])
      expect((await one(editor, call, { guarded: [at("src/main.ts")] })).outcome).toBe("failure");
    expect(editor.asked).toEqual([]);
  });

  it("is no configuration of the program and of git to be changed", async () => {
    const editor = new FakeEditor();
    for (const file of [".cogency/config.json", ".git/config"]) {
      await mkdir(dirname(at(file)), { recursive: true });
      await writeFile(at(file), "old");
      for (const call of [edit(file, "old", "new"), write(file, "new")])
        expect((await one(editor, call)).error).toMatchObject({ code: "permission_denied" });
    }
    expect(editor.asked).toEqual([]);
  });

  it("is no file that is no text, and none of more than 1 MiB: those are read on the disk", async () => {
    await writeFile(at("latin.txt"), Buffer.from([0x63, 0xe9]));
    await writeFile(at("large.txt"), "x\n".repeat(1_000_000));
    const editor = new FakeEditor();
    editor.reads = () => "from the editor";
    expect((await one(editor, read("latin.txt"))).error).toMatchObject({ code: "not_text" });
    expect((await one(editor, ["read", { file: "large.txt", lines: 1 }])).value).toMatchObject({ text: "x\n" });
    expect(editor.asked).toEqual([]);
  });

  it("begins as the host named the root, and has no links below it", async () => {
    const host = join(ground.outside, "project");
    await symlink(ground.root, host);
    const editor = new FakeEditor();
    editor.type(join(host, "config.json"), "typed");
    expect((await one(editor, read("inside-file"), { host })).value).toBe("typed");
    expect(editor.asked).toEqual([`read ${join(host, "config.json")}`]);
  });

  it("is thrown away if a link has come on the path meanwhile", async () => {
    const editor = new FakeEditor();
    editor.reads = async () => {
      await rename(at("src"), at("moved"));
      await symlink(join(ground.root, "..", "outside"), at("src"));
      return "SECRET";
    };
    const { error } = await one(editor, read("src/main.ts"));
    expect(error).toMatchObject({ code: "path_outside_root" });
  });

  it("counts for what an approval has seen: a file that changes there since is not changed", async () => {
    const editor = new FakeEditor();
    const tools = await toolbox({ root: ground.host, access: "project", include, files: editor });
    const approve = async () => {
      editor.type(at("config.json"), "old.com, typed while the question was open");
      return true;
    };
    const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "ask", approve } });
    const [execution] = await executor.run(
      [{ name: "edit", args: { file: "config.json", edits: [{ old: "old", new: "x" }] } }],
      {
        conversation: "c",
      },
    );
    expect(execution?.error).toMatchObject({ code: "path_changed" });
    expect(await readFile(at("config.json"), "utf8")).toBe('{"api": "old.com"}');
    expect(existsSync(at("config.json"))).toBe(true);
  });

  it("does not stand in the way of several calls of one batch", async () => {
    const editor = new FakeEditor();
    const tools = await toolbox({ root: ground.host, access: "project", include, files: editor });
    const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });
    const calls = [edit("config.json", "old", "new"), edit("config.json", "new", "third"), read("config.json")];
    const executions = await executor.run(
      calls.map(([name, args]) => ({ name, args })),
      { conversation: "c" },
    );
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "success", "success"]);
    expect(executions[2]?.value).toBe('{"api": "third.com"}');
  });
});
