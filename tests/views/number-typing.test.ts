import { i18n } from "@lingui/core";
import { expect, it, onTestFinished } from "vitest";
import { acceptLocalNumbers } from "../../src/ui/number-typing.ts";

function typed(locale: string, data: string) {
  i18n.loadAndActivate({ locale, messages: {} });
  const inserted: string[] = [];
  Object.assign(document, { execCommand: (_command: string, _ui: boolean, text: string) => inserted.push(text) });
  const stop = acceptLocalNumbers();
  onTestFinished(() => {
    stop();
    Reflect.deleteProperty(document, "execCommand");
    i18n.activate("en");
  });
  const input = Object.assign(document.createElement("input"), { type: "number" });
  document.body.append(input);
  input.dispatchEvent(new InputEvent("beforeinput", { data, bubbles: true, cancelable: true }));
  return inserted;
}

it.each([
  ["en", ",", "."],
  ["en", ".", null],
  ["en", "7", null],
  ["es", ".", null],
  ["es", "1.234,5", "1234.5"],
  ["ru", ",", "."],
  ["ar", "٥", "5"],
])("types in %s '%s' into a number as %s", (locale, data, expected) => {
  expect(typed(locale, data)).toEqual(expected === null ? [] : [expected]);
});
