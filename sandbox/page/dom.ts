type Child = Node | string | null;
type Props = Record<string, string | boolean | ((event: never) => void) | undefined>;

/** Creates an element with attributes, `on…` listeners and text. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Creates a form that submits its fields by name and is cleared on success. */
export function form(
  label: string,
  action: string,
  fields: HTMLElement[],
  work: (values: Record<string, string>) => Promise<void>,
): HTMLFormElement {
  return h(
    "form",
    {
      "aria-label": label,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        const target = event.target as HTMLFormElement;
        const values = Object.fromEntries(
          [...new FormData(target)].map(([name, value]) => [name, typeof value === "string" ? value.trim() : ""]),
        );
        // Cleared before the work redraws the page; after an error the values are restored.
        target.reset();
        void attempt(() => work(values)).then((isDone) => {
          if (!isDone) restore(label, values);
        });
      },
    },
    ...fields,
    h("button", { type: "submit" }, action),
  );
}

export const field = (name: string, label: string, props: Props = {}): HTMLElement =>
  h("label", {}, h("span", {}, label), h("input", { name, ...props }));

export const choice = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
): HTMLElement =>
  h(
    "label",
    {},
    h("span", {}, label),
    h("select", { name }, ...options.map(([value, text]) => h("option", { value }, text))),
  );

/** Announces a message, also to screen readers. */
export function announce(text: string): void {
  const news = document.querySelector("#news");
  if (news !== null) news.textContent = text;
}

/** Runs the work and shows its error. Resolves to whether it succeeded. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    announce("");
    await work();
    return true;
  } catch (error) {
    announce(error instanceof Error ? error.message : String(error));
    return false;
  }
}

function restore(label: string, values: Record<string, string>): void {
  const target = document.querySelector(`form[aria-label="${CSS.escape(label)}"]`);
  for (const [name, value] of Object.entries(values)) {
    const input = target?.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
    if (input) input.value = value;
  }
}
