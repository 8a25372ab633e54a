import { button, tag } from "./tag.ts";

/**
 * A button that turns into a field for a name.
 *
 * @param name takes the name; resolves to whether it was taken
 */
export function namePoint(name: (text: string) => Promise<boolean>): HTMLElement {
  const around = tag("span");
  const close = () => around.replaceChildren(open);
  const open = button(
    "Name this point",
    () => {
      const field = tag("input", { type: "text", maxlength: 60, "aria-label": "Name of this point", required: true });
      const form = tag(
        "form",
        { class: "row" },
        field,
        tag("button", { type: "submit" }, "Name"),
        button("Cancel", close),
      );
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (await name(field.value.trim())) close();
      });
      around.replaceChildren(form);
      field.focus();
    },
    { class: "quiet" },
  );
  close();
  return around;
}
