/**
 * Estimates by its tags how deeply the elements of an HTML text nest. The work of parsing grows with the depth of every
 * element. Takes linear time, and stops above `limit`.
 */
export function nestingOf(html: string, limit: number): number {
  const open: string[] = [];
  const tags = new RegExp(tagStart);
  let deepest = 0;
  for (let match = tags.exec(html); match && deepest <= limit; match = tags.exec(html)) {
    const [, slash, name] = match;
    const tag = name?.toLowerCase() ?? "!--";
    const end = rawElements.get(tag);
    if (slash) close(open, tag);
    else if (end) tags.lastIndex = endOf(html, end, tags.lastIndex);
    else if (!voidElements.has(tag)) {
      if (closesParagraph.has(tag) && open.at(-1) === "p") open.pop();
      if (closesItself.has(tag)) closeImplied(open, tag);
      open.push(tag);
    }
    deepest = Math.max(deepest, open.length);
  }
  return deepest;
}

const tagStart = /<(?:!--|(\/?)([a-z][^\s/>]{0,40}))/gi;

/** The ends of comments and of elements that cannot contain tags. */
const rawElements = new Map([
  ["!--", /-->/g],
  ["script", /<\/script/gi],
  ["style", /<\/style/gi],
  ["textarea", /<\/textarea/gi],
  ["title", /<\/title/gi],
]);

function endOf(html: string, end: RegExp, from: number): number {
  end.lastIndex = from;
  return end.test(html) ? end.lastIndex : html.length;
}

function close(open: string[], tag: string): void {
  const at = open.lastIndexOf(tag);
  if (at !== -1) open.length = at;
}

/** `<li>` ends the `<li>` before it, if only elements of `closesItself` are between them. */
function closeImplied(open: string[], tag: string): void {
  for (let at = open.length - 1; at >= 0; at--) {
    const above = open[at] ?? "";
    if (!closesItself.has(above)) return;
    if (above === tag) {
      open.length = at;
      return;
    }
  }
}

const voidElements = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const closesItself = new Set("p li dt dd tr td th thead tbody tfoot option optgroup rt rp".split(" "));
const closesParagraph = new Set(
  "address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul".split(
    " ",
  ),
);
