import type { ReactNode } from "react";
import { configure } from "@testing-library/dom";
import * as hand from "../hand.ts";

configure({ getElementError: (message) => new Error(message?.split("\n")[0]) });

export { getByRole, queries, screen, waitFor, within } from "@testing-library/dom";

type Init = { target?: { value?: unknown; files?: readonly File[] }; key?: string; clipboardData?: { files: File[] } };

/** The events that tests fire, each done by hand. A key is pressed and let go at once. */
export const fireEvent = Object.assign((element: Element | Window, event: Event) => hand.dispatch(element, event), {
  click: hand.click,
  focus: hand.focus,
  blur: hand.leave,
  keyDown: (element: Element, { key = "" }: Init) => hand.press(element, key),
  keyUp: () => {},
  pointerEnter: hand.hover,
  pointerLeave: () => hand.hover(null),
  pointerDown: (element: Element) =>
    hand.dispatch(element, new PointerEvent("pointerdown", { bubbles: true, cancelable: true })),
  change: (element: Element, { target = {} }: Init) =>
    target.files === undefined
      ? hand.fill(element, String(target.value))
      : hand.choose(element, [...target.files].filter(Boolean)),
  submit: (form: HTMLFormElement) => {
    const button = form.querySelector("[type=submit]");
    return button === null ? hand.press(form.querySelector("input") ?? form, "Enter") : hand.click(button);
  },
});

export const act = async (work: () => unknown) => {
  await work();
};

/** Hand-written cases run in jsdom; nothing here renders but the walks. */
export const render = (_page: ReactNode) => {
  throw new Error("only walked screens are rendered in the browser");
};
export const cleanup = () => {};
export const renderHook = render;
