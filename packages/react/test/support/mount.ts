import { createElement, type ReactNode, StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { onTestFinished } from "vitest";

/** A page with one root, which renders by itself, as in a browser. */
export interface Mounted {
  readonly html: HTMLElement;
  render(node: ReactNode): void;
  unmount(): void;
}

/** Renders in StrictMode. */
export function mount(node: ReactNode): Mounted {
  const html = container();
  const one = mounted(html, createRoot(html));
  one.render(node);
  return one;
}

/** Goes on with what a server has rendered. */
export function hydrate(text: string, node: ReactNode, onRecoverableError: (error: unknown) => void): Mounted {
  const html = container();
  html.innerHTML = text;
  return mounted(html, hydrateRoot(html, node, { onRecoverableError }));
}

function container(): HTMLElement {
  return document.body.appendChild(document.createElement("div"));
}

function mounted(html: HTMLElement, root: Root): Mounted {
  onTestFinished(() => {
    root.unmount();
    html.remove();
  });
  return {
    html,
    render: (node) => flushSync(() => root.render(createElement(StrictMode, null, node))),
    unmount: () => flushSync(() => root.unmount()),
  };
}
