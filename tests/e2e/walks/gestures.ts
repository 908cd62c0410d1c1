/**
 * What a user does with a real mouse and keyboard, sent to the test that drives the browser. A control that is covered or has no size is an
 * error.
 */
export type Gesture =
  | { kind: "click"; x: number; y: number }
  | { kind: "move"; x: number; y: number }
  | { kind: "fill"; text: string }
  | { kind: "select"; value: string }
  | { kind: "press"; key: string };

declare global {
  interface Window {
    /** Performs the gesture, on the element with `data-target` if it needs one. Resolves when the page received it. */
    perform(gesture: Gesture): Promise<void>;
  }
}

const PATIENCE_MS = 30_000;

let done: Promise<unknown> = Promise.resolve();

/** Runs the gesture after all earlier ones. */
const next = (gesture: () => unknown): Promise<void> => {
  const mine = done.then(gesture);
  done = mine;
  return mine.then(() => {});
};

/** Resolves when every requested gesture is done; rejects if one failed. */
export async function gesturesDone(): Promise<void> {
  const all = done;
  done = Promise.resolve();
  await all;
}

export const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

const nameOf = (element: Element) => `<${element.tagName.toLowerCase()}> ${element.textContent?.trim().slice(0, 40)}`;

/** Returns the element that receives clicks: the element itself, or its label if the element is hidden. */
function hitBoxOf(element: Element): Element {
  const { width, height } = element.getBoundingClientRect();
  const label = element.closest("label");
  return label !== null && (width <= 1 || height <= 1) ? label : element;
}

async function pointOn(element: Element): Promise<{ x: number; y: number }> {
  const box = hitBoxOf(element);
  let before = "";
  let still = 0;
  for (const end = performance.now() + PATIENCE_MS; ; await frame()) {
    box.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top, width, height } = box.getBoundingClientRect();
    const point = { x: left + width / 2, y: top + height / 2 };
    const hit = document.elementFromPoint(point.x, point.y);
    // A control that still moves, or will when a picture loads, would be elsewhere when the mouse arrives.
    const place = JSON.stringify([point, width, height]);
    const isSettled = place === before && [...document.images].every(({ complete }) => complete);
    still = isSettled ? still + 1 : 0;
    before = place;
    if (still >= 2 && width > 0 && height > 0 && hit !== null && box.contains(hit)) return point;
    if (performance.now() > end) {
      const how = hit === null ? "is outside the window" : `is covered by ${nameOf(hit)}`;
      throw new Error(`${nameOf(element)} cannot be clicked: it ${how}`);
    }
  }
}

async function onMarked(element: Element, gesture: Gesture): Promise<void> {
  element.setAttribute("data-target", "");
  await window.perform(gesture);
  element.removeAttribute("data-target");
}

export const click = (element: Element) =>
  next(async () => window.perform({ kind: "click", ...(await pointOn(element)) }));

export const fill = (element: Element, text: string) =>
  next(() =>
    element instanceof HTMLSelectElement
      ? onMarked(element, { kind: "select", value: text })
      : onMarked(element, { kind: "fill", text }),
  );

/** Presses and releases a key with the focus on the element. */
export const press = (element: Element, key: string) =>
  next(async () => {
    if (document.activeElement !== element) (element as HTMLElement).focus();
    await window.perform({ kind: "press", key });
  });

/** Moves the mouse over the element, or away from all elements. */
export const hover = (element: Element | null) =>
  next(async () => window.perform({ kind: "move", ...(element === null ? { x: 0, y: 0 } : await pointOn(element)) }));

/** Chooses files as the system's file dialog does. */
export const choose = (input: Element, files: readonly File[]) =>
  next(() => {
    const chosen = new DataTransfer();
    for (const file of files) chosen.items.add(file);
    (input as HTMLInputElement).files = chosen.files;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });

/** Scrolls to this offset. The page gets the event with the next frame. */
export const scroll = (element: Element, top: number) =>
  next(async () => {
    element.scrollTo({ top, behavior: "instant" });
    await frame();
  });
