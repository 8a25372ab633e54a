import { button } from "./tag.ts";

const themes = ["auto", "light", "dark"] as const;
const words = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

/** A button that changes between the theme of the system, light and dark. The choice is kept where the browser allows it. */
export function themeButton(): HTMLButtonElement {
  let theme = themes.find((one) => one === kept()) ?? "auto";
  const show = () => {
    document.documentElement.dataset.theme = theme;
    element.textContent = words[theme];
  };
  const element = button("", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
    show();
    keep(theme);
  });
  element.classList.add("quiet");
  element.id = "theme";
  show();
  return element;
}

/** Pages from files, and those of a private window, may have no storage. */
function kept(): string | null {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function keep(theme: string): void {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // The choice counts until the page is left.
  }
}
