import { configure } from "@testing-library/dom";
import * as hand from "../hand.ts";

configure({ getElementError: (message) => new Error(message?.split("\n")[0]) });

export { screen, within } from "@testing-library/dom";

type Init = { target?: { value?: unknown; files?: readonly File[] } };

/** The events that walks fire, each done by the browser's own mouse and keyboard. */
export const fireEvent = {
  click: hand.click,
  pointerEnter: hand.hover,
  pointerLeave: () => hand.hover(null),
  change: (element: Element, { target = {} }: Init) =>
    target.files === undefined
      ? hand.fill(element, String(target.value))
      : hand.choose(element, [...target.files].filter(Boolean)),
};
