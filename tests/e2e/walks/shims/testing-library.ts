import { configure } from "@testing-library/dom";
import * as user from "../gestures.ts";

configure({ getElementError: (message) => new Error(message?.split("\n")[0]) });

export { screen, within } from "@testing-library/dom";

type Init = { target?: { value?: unknown; files?: readonly File[] } };

/** The events that walks fire, performed by the browser's own mouse and keyboard. */
export const fireEvent = {
  click: user.click,
  pointerEnter: user.hover,
  pointerLeave: () => user.hover(null),
  change: (element: Element, { target = {} }: Init) =>
    target.files === undefined
      ? user.fill(element, String(target.value))
      : user.choose(element, [...target.files].filter(Boolean)),
};
