type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined | false;

/**
 * An element with attributes, texts and elements in it. Texts stay texts: nothing on this page makes HTML from a text.
 * `true` sets an attribute without a value; `undefined` and `false` leave it out.
 */
export function tag<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/** The same for a drawing. */
export function svg(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(element, attributes, children);
  return element;
}

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : String(value));
  element.append(...children.filter((child) => child !== undefined && child !== false));
}

/** A button that does something when it is pressed. */
export function button(text: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = tag("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", press);
  return element;
}

/** A `details` whose content is made when it is opened for the first time. */
export function disclosure(
  summary: readonly Child[],
  make: () => readonly Child[],
  attributes: Attributes & { readonly open?: boolean | undefined } = {},
): HTMLDetailsElement {
  const element = tag("details", attributes, tag("summary", {}, ...summary));
  let isMade = false;
  const fillOnce = () => {
    if (isMade || !element.open) return;
    isMade = true;
    element.append(...make().filter((child) => child !== undefined && child !== false));
  };
  fillOnce();
  element.addEventListener("toggle", fillOnce);
  // The search and the keyboard open it and look into it at once.
  element.addEventListener("fill", fillOnce);
  return element;
}

/** Opens a `details`, and all around an element. */
export function reveal(element: Element): void {
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (!(at instanceof HTMLDetailsElement) || at.open) continue;
    at.open = true;
    at.dispatchEvent(new Event("fill"));
  }
}
