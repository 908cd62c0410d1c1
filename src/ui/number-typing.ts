import { plainNumber } from "../language/format.ts";

const NUMBERS = "input[type=number], input[inputmode=numeric]";

/**
 * Returns the plain form of a typed character; null if it is unknown. It is typed within a number, so it is read between two digits. A comma
 * followed by one digit is a decimal comma.
 */
const plainCharacter = (data: string): string | null => plainNumber(`1${data}5`)?.slice(1, -1) ?? null;

/**
 * Lets users type and paste numbers in their language's format, such as `1,5` or `١٫٥`. A native number input accepts only the browser's
 * language. Returns a function that stops it.
 */
export function acceptLocalNumbers(): () => void {
  const onInput = (event: InputEvent) => {
    const { data, target } = event;
    if (!data || !(target instanceof HTMLInputElement) || !target.matches(NUMBERS)) return;
    const plain = data.length === 1 ? plainCharacter(data) : plainNumber(data);
    if (plain === null || plain === data) return;
    event.preventDefault();
    document.execCommand("insertText", false, plain);
  };
  document.addEventListener("beforeinput", onInput);
  return () => document.removeEventListener("beforeinput", onInput);
}
