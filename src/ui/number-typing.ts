import { plainNumber } from "../language/format.ts";

const NUMBERS = "input[type=number], input[inputmode=numeric]";

/**
 * Lets people type and paste numbers as their language writes them, such as `1,5` or `١٫٥`. A number input of the browser takes
 * them in the browser's own language only. Returns how to stop it.
 */
export function acceptLocalNumbers(): () => void {
  const onInput = (event: InputEvent) => {
    const { data, target } = event;
    if (!data || !(target instanceof HTMLInputElement) || !target.matches(NUMBERS)) return;
    // One character is part of a number that is being typed.
    const plain = data.length === 1 ? plainNumber(`1${data}`)?.slice(1) : plainNumber(data);
    if (plain == null || plain === data) return;
    event.preventDefault();
    document.execCommand("insertText", false, plain);
  };
  document.addEventListener("beforeinput", onInput);
  return () => document.removeEventListener("beforeinput", onInput);
}
