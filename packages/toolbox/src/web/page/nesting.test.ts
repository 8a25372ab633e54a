import { describe, expect, it } from "vitest";
import { nestingOf } from "./nesting.ts";

describe("nestingOf", () => {
  it.each([
    ["", 0],
    ["text < 3 > 2", 0],
    ["<p>one<p>two<p>three", 1],
    ["<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", 4],
    ["<table><tr><td>a<td>b<tr><td>c</table>", 3],
    ["<dl><dt>a<dd>b<dt>c<dd>d</dl>", 3],
    ["<br><img><hr>".repeat(50), 0],
    ["<div><b></div><div><b></div>", 2],
    ["</div></div><div>", 1],
    [`<script>${"<div>".repeat(50)}</script><p>`, 1],
    [`<!-- ${"<div>".repeat(50)} --><p>`, 1],
    [`<!-- ${"<div>".repeat(50)}`, 0],
    ["<DIV><div></DIV>", 2],
  ])("counts the depth of %j as %i", (html, depth) => {
    expect(nestingOf(html, 1000)).toBe(depth);
  });

  it.each(["<div></x>", "<p><div></p>", "<p><ul></p>"])(
    "counts %s correctly, whose last tag closes nothing",
    (html) => {
      expect(nestingOf(html.repeat(100), 1000)).toBe(100);
    },
  );

  it("stops above the limit", () => {
    expect(nestingOf("<div>".repeat(1_000_000), 1000)).toBe(1001);
  });
});
