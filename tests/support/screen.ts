import { fireEvent, screen, within } from "@testing-library/react";
import { type ComponentType, type ReactNode, createElement } from "react";
import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  fromCallback,
} from "xstate";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "./english.ts";

type Name = string | RegExp;

/** Whether the screen shows the text exactly once; false for null. */
export const seen = (text: UiTextOrString | RegExp | null | undefined): boolean =>
  text != null && screen.queryByText(text instanceof RegExp ? text : english(text)) !== null;

/** Returns a control by its role and exact name; null when the screen does not show it. */
export const button = (name: Name) => screen.queryByRole<HTMLButtonElement>("button", { name });
export const textbox = (name: Name) => screen.queryByRole<HTMLInputElement>("textbox", { name });

/** Returns the retry button next to an error message; null when the message is not shown. */
export function retryButtonNextTo(words: Name) {
  const mark = screen.queryAllByText(words)[0]?.parentElement;
  return mark ? within(mark).queryByRole("button", { name: "Try again" }) : null;
}

/** What the user does with a control. `control` finds it, or returns null when the screen does not show it. */
export type Gesture = {
  control: (event: AnyEventObject) => HTMLElement | null;
  act: (control: HTMLElement, event: AnyEventObject) => unknown;
};

/** What causes each event: a gesture of the user, or something outside the screen. */
export type Gestures = Record<string, Gesture | ((event: AnyEventObject, chart: AnyActorRef) => unknown)>;

/** How a gesture finds its control: a function, or the name of a button. */
type Find = Gesture["control"] | Name;

const finding = (find: Find): Gesture["control"] => (typeof find === "function" ? find : () => button(find));

/** Returns an actor that listens to events from outside the screen, and the function that sends it one. */
export function createExternalActor() {
  let emit: (event: AnyEventObject) => void = () => {};
  const listen = fromCallback<AnyEventObject>(({ sendBack }) => {
    emit = sendBack;
  });
  return [listen, (event: AnyEventObject) => emit(event)] as const;
}

/** A click, or Enter on the focused control. */
export const press = (find: Find): Gesture => ({ control: finding(find), act: (control) => fireEvent.click(control) });

/** Typing, or choosing in a select. The new value is taken from the event. */
export const fill = (control: Gesture["control"], valueOf: (event: AnyEventObject) => string): Gesture => ({
  control,
  act: (control, event) => fireEvent.change(control, { target: { value: valueOf(event) } }),
});

/** Sends the event to the chart directly: another part of the page or the server causes it, not the user. */
export const toChart = (event: AnyEventObject, chart: AnyActorRef): void => chart.send(event);

/** Simulates a date field that holds a partial date, which jsdom's date fields do not support, or no longer does. */
export const setPartialDate = (field: HTMLElement, isPartial: boolean) =>
  Object.defineProperty(field, "validity", { configurable: true, value: { badInput: isPartial } });

/** Removes a part of a date field's day. The browser then reports the field as empty. */
export function removePartOfDate(field: HTMLElement): void {
  setPartialDate(field, true);
  fireEvent.change(field, { target: { value: "" } });
}

/** Submits the form that contains the control. */
export const submit = (find: Find): Gesture => ({
  control: finding(find),
  act: (control) => {
    const form = control.closest("form");
    if (!form) throw new Error("the control is in no form");
    fireEvent.submit(form);
  },
});

/** Types each value into the field with its label, then presses the form's submit button. */
export const send = (find: Find, valuesOf: (event: AnyEventObject) => Record<string, string>): Gesture => ({
  control: finding(find),
  act: (control, event) => {
    const form = within(control.closest("form") as HTMLElement);
    for (const [label, value] of Object.entries(valuesOf(event))) {
      fireEvent.change(form.getByLabelText(label), { target: { value } });
    }
    fireEvent.click(control);
  },
});

const isLive = (control: HTMLElement | null): boolean =>
  control !== null &&
  control.isConnected &&
  !control.matches(":disabled, [aria-disabled=true], [aria-busy=true], [readonly], [aria-readonly=true]") &&
  control.closest("[inert], [hidden]") === null;

/**
 * Returns where screen and chart disagree on what the user can do: an enabled control whose event the chart would ignore, or a disabled or
 * missing one whose event it would accept. Expected to be empty.
 */
export function disagreements(
  actor: AnyActorRef | undefined,
  gestures: Record<string, unknown>,
  variants: readonly AnyEventObject[],
): string[] {
  if (actor === undefined) return ["the screen started no actor"];
  const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
  return Object.entries(gestures).flatMap(([type, gesture]) => {
    if (!isGesture(gesture)) return [];
    const known = variants.filter((variant) => variant.type === type);
    return (known.length > 0 ? known : [{ type }]).flatMap((event) => {
      const live = isLive(gesture.control(event));
      if (live === snapshot.can(event)) return [];
      return [`${type} is ${live ? "live but refused" : "accepted but not live"} in ${JSON.stringify(snapshot.value)}`];
    });
  });
}

/** Performs the gesture or the outside cause declared for the event. */
export function carryOut(gestures: Gestures, event: AnyEventObject, chart: AnyActorRef) {
  const gesture = gestures[event.type];
  if (!gesture) throw new Error(`${event.type} has no gesture`);
  if (!isGesture(gesture)) return gesture(event, chart);
  const control = gesture.control(event);
  if (!control) throw new Error(`${event.type} has no control on the screen`);
  return gesture.act(control, event);
}

export const isGesture = (gesture: unknown): gesture is Gesture =>
  typeof gesture === "object" && gesture !== null && "control" in gesture;

type Provider = ComponentType<{ logic: AnyStateMachine; options: object; children?: ReactNode }>;

/** Returns a renderer of a screen with its chart alone. `input` replaces the path's input where the screen needs another one. */
export const over =
  (Chart: { Provider: unknown }, shown: ReactNode, input?: unknown) =>
  (logic: AnyStateMachine, options: object = {}) => {
    const given = input === undefined ? options : { ...options, input };
    return createElement(Chart.Provider as Provider, { logic, options: given }, shown);
  };
