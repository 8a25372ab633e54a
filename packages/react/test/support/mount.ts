import { act, createElement, type ReactNode, StrictMode } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { expect, onTestFinished } from "vitest";

/** A page with one root, in StrictMode. */
export interface Mounted {
  readonly html: HTMLElement;
  render(node: ReactNode): Promise<void>;
  unmount(): Promise<void>;
}

export async function mount(node: ReactNode): Promise<Mounted> {
  waitForUpdates(true);
  const html = document.body.appendChild(document.createElement("div"));
  return mounted(html, createRoot(html), node);
}

/** Renders as a browser does: in slices, and not when a test wants it. */
export async function mountAlone(node: ReactNode): Promise<{ html: HTMLElement }> {
  waitForUpdates(false);
  const html = document.body.appendChild(document.createElement("div"));
  const root = createRoot(html);
  root.render(node);
  onTestFinished(async () => {
    root.unmount();
    html.remove();
  });
  return { html };
}

/** Whether React wants each update to be inside of `act`. */
function waitForUpdates(value: boolean): void {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: value });
}

/** Goes on with what a server has rendered. */
export async function hydrate(
  text: string,
  node: ReactNode,
  onRecoverableError: (error: unknown) => void,
): Promise<Mounted> {
  waitForUpdates(true);
  const html = document.body.appendChild(document.createElement("div"));
  html.innerHTML = text;
  let root: Root | undefined;
  await act(async () => {
    root = hydrateRoot(html, node, { onRecoverableError });
  });
  if (!root) throw new Error("React made no root.");
  return mounted(html, root);
}

async function mounted(html: HTMLElement, root: Root, node?: ReactNode): Promise<Mounted> {
  const one: Mounted = {
    html,
    render: (next) => act(async () => root.render(createElement(StrictMode, null, next))),
    unmount: () => act(async () => root.unmount()),
  };
  if (node !== undefined) await one.render(node);
  onTestFinished(async () => {
    await one.unmount();
    html.remove();
  });
  return one;
}

/** Waits until what is expected holds, while React renders what comes. */
export async function eventually(check: () => void): Promise<void> {
  await expect
    .poll(async () => {
      await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
      check();
      return true;
    })
    .toBe(true);
}
