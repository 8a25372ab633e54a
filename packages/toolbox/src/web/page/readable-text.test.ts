import { describe, expect, it } from "vitest";
import { readableText } from "./readable-text.ts";

const at = "https://example.com/docs/page";
const textOf = (html: string) => readableText(html, at).text;
const article = `<h2>Bread</h2>${"<p>Bread is made of flour, water, salt and time, and of nothing else at all.</p>".repeat(20)}`;

describe("readableText", () => {
  it("returns the article of a page without its surroundings", () => {
    const { title, text } = readableText(
      `<!doctype html><html><head><title> How to
         bake </title></head><body><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
       <main><article>${article}</article></main><footer>Imprint</footer></body></html>`,
      at,
    );
    expect(title).toBe("How to bake");
    expect(text).toMatch(/^## Bread\n\nBread is made of flour/);
    expect(text).not.toMatch(/Shop|Imprint/);
  });

  it("returns all of a page that has no article", () => {
    expect(textOf("<ul><li>one<li>two</ul>")).toBe("-   one\n-   two");
  });

  it.each([
    ["<p>hello<p>world", "hello\n\nworld"],
    ["<html><p>hello", "hello"],
    ["<html><head><title>T</title><body><p>hello", "hello"],
    ["<!-- c --><!doctype html><html><body>hello</body></html>trailing", "hellotrailing"],
    ["<body><p>hello</body>", "hello"],
    ["just text", "just text"],
    ["", ""],
    ["<div><p>un</div>closed</p></section>", "un\n\nclosed"],
  ])("reads %j", (html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it.each([
    ['<a href="/x?y#z">a</a>', "[a](https://example.com/x?y#z)"],
    ['<A HREF="/x">a</A>', "[a](https://example.com/x)"],
    ['<a href="next">a</a>', "[a](https://example.com/docs/next)"],
    ['<a href="//other.example/">a</a>', "[a](https://other.example/)"],
    ['<a href="mailto:me@example.com">a</a>', "[a](mailto:me@example.com)"],
    ['<a href="javascript:alert(1)">a</a>', "a"],
    ['<a href="data:text/html,x">a</a>', "a"],
    ['<a href="http://[">a</a>', "a"],
    ['<base href="https://base.example/d/"><a href="x">a</a>', "[a](https://base.example/d/x)"],
    [`<a href="/${"x".repeat(2000)}">a</a>`, "a"],
    ['<base href="http://["><a href="x">a</a>', "[a](https://example.com/docs/x)"],
  ])("makes links absolute, and drops those that are not pages: %s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it("keeps code, tables and the descriptions of pictures", () => {
    expect(textOf("<pre><code>if (x) {\n  y();\n}</code></pre>")).toBe("```\nif (x) {\n  y();\n}\n```");
    expect(textOf("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><p>2</p></td></tr></table>")).toBe(
      "| a | b |\n| 1 | 2 |",
    );
    expect(textOf('<p>see <img src="/p.png" alt="a cat"></p>')).toBe("see a cat");
  });

  it.each([
    "<script>HIDDEN</script>",
    "<style>.x::after { content: 'HIDDEN' }</style>",
    "<!-- HIDDEN -->",
    "<template><p>HIDDEN</p></template>",
    "<noscript><p>HIDDEN</p></noscript>",
    "<div hidden>HIDDEN</div>",
    '<div hidden="until-found">HIDDEN</div>',
    '<div aria-hidden="true">HIDDEN</div>',
    "<div aria-hidden=TRUE><b>HIDDEN</b></div>",
    '<div style="display:none">HIDDEN</div>',
    "<DIV HIDDEN>HIDDEN</DIV>",
    '<Div Aria-Hidden="True">HIDDEN</Div>',
    '<div STYLE="display:none" style="display:block">HIDDEN</div>',
    "<SCRIPT>HIDDEN</SCRIPT>",
    "<Template>HIDDEN</Template>",
    "<x-a hidden>HIDDEN</x-a>",
    '<div STYLE="color:red; DISPLAY : None !important">HIDDEN</div>',
    '<div style="dis/**/play:none;display:no/* x */ne">HIDDEN</div>',
    '<div style="d\\69splay:none">HIDDEN</div>',
    '<div style="\\64 isplay:none">HIDDEN</div>',
    '<div style="display:none"><div style="display:block">HIDDEN</div></div>',
    '<p style="visibility:hidden">HIDDEN</p>',
    '<p style="opacity:0">HIDDEN</p>',
    '<p style="opacity:0.0">HIDDEN</p>',
    '<p style="font-size:0px">HIDDEN</p>',
    '<p style="color:transparent">HIDDEN</p>',
    '<p style="position:absolute;left:-9999px">HIDDEN</p>',
    '<p style="text-indent:-10000em">HIDDEN</p>',
    '<p style="clip:rect(0 0 0 0)">HIDDEN</p>',
    `<p style="${"x:y;".repeat(5000)}display:none">HIDDEN</p>`,
    '<input type="hidden" value="HIDDEN">',
    "<textarea>HIDDEN</textarea>",
    "<select><option>HIDDEN</select>",
    "<datalist><option>HIDDEN</datalist>",
    "<dialog>HIDDEN</dialog>",
    "<iframe>HIDDEN</iframe>",
    "<object>HIDDEN</object>",
    "<canvas>HIDDEN</canvas>",
    "<video>HIDDEN</video>",
    "<svg><desc>HIDDEN</desc><text>HIDDEN</text></svg>",
    "<noframes>HIDDEN</noframes>",
    '<meta name="description" content="HIDDEN">',
    '<p title="HIDDEN" data-x="HIDDEN" aria-label="HIDDEN"></p>',
    '<a href="javascript:HIDDEN"></a>',
    "<?HIDDEN ?>",
    "<![CDATA[HIDDEN]]>",
    `<p>${[..."HIDDEN"].map((letter) => `&#${0xe0000 + letter.charCodeAt(0)};`).join("")}</p>`,
    `<p>${String.fromCodePoint(...[..."HIDDEN"].map((letter) => 0xe0100 + letter.charCodeAt(0)))}</p>`,
    "<p>&#xfe01;&#xfe0a;&#x200b;&#x2062;</p>",
    "<div popover>HIDDEN</div>",
    '<p style="display: none ! important">HIDDEN</p>',
    '<p style="width:0;height:0;overflow:hidden">HIDDEN</p>',
    '<p style="max-height:.0px;overflow-y:clip">HIDDEN</p>',
    '<p style="font-size:+0px">HIDDEN</p>',
    '<p style="font:0/0 a">HIDDEN</p>',
    '<p style="opacity:-1">HIDDEN</p>',
    '<p style="opacity:calc(0)">HIDDEN</p>',
    '<p style="opacity:0e3">HIDDEN</p>',
    '<p style="filter:blur(1px) opacity(0%)">HIDDEN</p>',
    '<p style="color:rgba(0, 0, 0, 0)">HIDDEN</p>',
    '<p style="color:rgb(0 0 0 / 0%)">HIDDEN</p>',
    '<p style="color:#fff0">HIDDEN</p>',
    '<p style="transform:scale(0)">HIDDEN</p>',
    '<p style="transform:translateX(-9999px)">HIDDEN</p>',
    '<p style="position:absolute;left:-999em">HIDDEN</p>',
    '<p style="position:absolute;right:-9e9px">HIDDEN</p>',
    '<p style="margin-left:-9999px">HIDDEN</p>',
    '<p style="clip-path:circle(0)">HIDDEN</p>',
    '<p style="clip-path:polygon(0 0, 0 0, 0 0)">HIDDEN</p>',
    `<p>${String.fromCodePoint(...[..."HIDDEN"].map((letter) => 0xe0000 + letter.charCodeAt(0)))}</p>`,
  ])("removes what a reader of the page would not see: %s", (hidden) => {
    const [alone, within] = [textOf(hidden), textOf(`<article>${article}${hidden}</article>`)];
    expect(alone).toBe("");
    expect(within).toContain("Bread is made of flour");
    expect(within).not.toMatch(/HIDDEN|[\u{e0000}-\u{e007f}]|\p{Variation_Selector}/u);
  });

  it.each([
    '<p style="color:rgb(0, 0, 0)">seen</p>',
    '<p style="color:rgba(0,0,0,0.5)">seen</p>',
    '<p style="color:#000">seen</p>',
    '<p style="font:italic small-caps bold 12px/1.5 serif">seen</p>',
    '<p style="overflow:hidden;width:100%">seen</p>',
    '<p style="margin-left:-15px;transform:translate(-50%, 0)">seen</p>',
  ])("keeps text that is only styled: %s", (html) => {
    expect(textOf(html)).toBe("seen");
  });

  it.each(['<p style="opacity:0.5">seen</p>', '<p style="font-size:0.8em">seen</p>', "<dialog open>seen</dialog>"])(
    "shows %s",
    (html) => {
      expect(textOf(html)).toBe("seen");
    },
  );

  it.each([
    ["nesting", "<div>".repeat(257), "nest more than 256 deep"],
    ["markup", "<br>".repeat(250_001), "more than 250000 tags"],
  ])("refuses too much %s before it is parsed", (_what, html, problem) => {
    expect(() => textOf(html)).toThrow(problem);
  });
});
