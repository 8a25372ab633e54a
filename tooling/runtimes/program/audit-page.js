/**
 * What a person with weak eyes, a keyboard or a screen reader stumbles over in this page, as sentences. It is evaluated in the page,
 * so everything stands inside.
 */
export function auditPage() {
  /** @type {Set<string>} */
  const problems = new Set();
  const shown = [...document.body.querySelectorAll("*")].filter((element) =>
    element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }),
  );
  for (const element of shown) {
    contrastOf(element);
    nameOf(element);
    placeOf(element);
  }
  headings();
  landmarks();
  references();
  return [...problems];

  /** @param {Element} element */
  function contrastOf(element) {
    const field = element.matches("input, textarea") && /** @type {HTMLInputElement} */ (element);
    const isPlaceholder = field && field.value === "" && field.placeholder !== "";
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    if (!hasText && !isPlaceholder) return;
    // What cannot be used needs no contrast (WCAG 1.4.3).
    if (element.closest(":disabled, [aria-hidden=true]")) return;
    const style = getComputedStyle(element, isPlaceholder ? "::placeholder" : undefined);
    const ground = groundOf(element);
    const [r, g, b, alpha] = colour(style.color);
    const text = over([r, g, b, alpha * opacityOf(element)], ground);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = ratioOf(text, ground);
    if (ratio < (isLarge ? 3 : 4.5)) problems.add(`${named(element)} has a contrast of ${ratio.toFixed(2)}`);
  }

  /** @param {Element | null} element @returns {number[]} */
  function groundOf(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const layer = colour(getComputedStyle(at).backgroundColor);
      layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reduceRight((/** @type {number[]} */ below, layer) => over(layer, below), [255, 255, 255, 1]);
  }

  /** @param {Element} element */
  function opacityOf(element) {
    let opacity = 1;
    for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement)
      opacity *= Number(getComputedStyle(at).opacity);
    // What stands in wait for the pointer is no text to read.
    return opacity === 0 ? 1 : opacity;
  }

  /** @param {string} text @returns {[r: number, g: number, b: number, alpha: number]} */
  function colour(text) {
    const numbers = (text.match(/[\d.]+/g) ?? []).map(Number);
    const [r = 0, g = 0, b = 0, alpha = 1] = numbers;
    return text.startsWith("color(srgb") ? [r * 255, g * 255, b * 255, alpha] : [r, g, b, alpha];
  }

  /** @param {number[]} layer @param {number[]} below @returns {number[]} */
  function over(layer, below) {
    const alpha = layer[3] ?? 1;
    return [0, 1, 2].map((i) => (layer[i] ?? 0) * alpha + (below[i] ?? 0) * (1 - alpha)).concat(1);
  }

  /** @param {number[]} one @param {number[]} other */
  function ratioOf(one, other) {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  /** @param {number[]} rgb */
  function luminance(rgb) {
    const [r = 0, g = 0, b = 0] = rgb.map((one) => {
      const part = one / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  /** @param {Element} element */
  function nameOf(element) {
    if (
      !element.matches("button, a[href], input, select, textarea, summary, [role=group], nav, aside, form, dialog, svg")
    )
      return;
    if (element.matches("[aria-hidden=true] *, [aria-hidden=true]")) return;
    const { labels } = /** @type {HTMLInputElement} */ (element);
    const named = element.getAttribute("aria-labelledby");
    const texts = [
      element.getAttribute("aria-label"),
      named && document.getElementById(named)?.textContent,
      ...Array.from(labels ?? [], (label) => label.textContent),
      element.matches("button, a, summary") && element.textContent,
      element.querySelector("title")?.textContent,
    ];
    if (!texts.some((text) => text && text.trim() !== "")) problems.add(`${which(element)} has no name`);
  }

  /** @param {Element} element */
  function placeOf(element) {
    const { left, right, width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const isOut = right > innerWidth + 1 || left < -1;
    if (isOut && width > 0 && !element.closest(".skip") && !scrollerOf(element))
      problems.add(`${which(element)} is cut off by the edge`);
    const isClipped =
      /hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis" && element.clientWidth > 1;
    if (isClipped && element.scrollWidth > element.clientWidth + 1) problems.add(`${which(element)} cuts its content`);
    const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
    const isScrolled = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
    const isReachable = element.matches("[tabindex], textarea, :has(a[href], button, input, [tabindex])");
    if (scrolls && isScrolled && !isReachable)
      problems.add(`${which(element)} scrolls, and the keyboard does not reach it`);
    const isTarget = element.matches("button, input:not([type=checkbox]), select, textarea");
    if (isTarget && (width < 24 || height < 24))
      problems.add(`${which(element)} is only ${Math.round(width)} × ${Math.round(height)}`);
  }

  /** @param {Element} element */
  function scrollerOf(element) {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX)) return at;
    return undefined;
  }

  function headings() {
    let last = 0;
    for (const heading of shown.filter((element) => element.matches("h1, h2, h3, h4, h5, h6"))) {
      const level = Number(heading.tagName[1]);
      if (level > last + 1 && !heading.closest(".markdown"))
        problems.add(`${which(heading)} follows a heading of level ${last}`);
      last = level;
    }
  }

  function landmarks() {
    for (const one of ["h1", "main", "body > header"])
      if (shown.filter((element) => element.matches(one)).length !== 1) problems.add(`there is not one ${one}`);
    if (!document.documentElement.lang) problems.add("the page says no language");
    if (document.title.trim() === "") problems.add("the page has no title");
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) problems.add(`the page is ${scrollWidth} wide at ${innerWidth}`);
  }

  function references() {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    if (new Set(ids).size < ids.length) problems.add("an id stands twice");
    for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls"])
      for (const element of document.querySelectorAll(`[${attribute}]`))
        for (const id of element.getAttribute(attribute)?.split(" ") ?? [])
          if (!document.getElementById(id)) problems.add(`${attribute} of ${which(element)} leads nowhere`);
  }

  /** @param {Element} element */
  function named(element) {
    return `"${(element.textContent || element.getAttribute("placeholder") || "").trim().slice(0, 40)}" in ${which(element)}`;
  }

  /** @param {Element} element */
  function which(element) {
    const of = (/** @type {Element} */ one) =>
      one.tagName.toLowerCase() + [...one.classList].map((name) => `.${name}`).join("");
    return [element.parentElement, element].map((one) => one && of(one)).join(" > ");
  }
}
