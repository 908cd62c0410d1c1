import * as v from "valibot";
import { readJson } from "./read-json.ts";
import { isUiText, type UiText } from "./ui-text.ts";

const Params = v.record(v.string(), v.unknown());
const CODED = /^([a-z_0-9]+)(?: (\{.*\}))?$/s;

/** Returns the text of a code of `table`; null for a code or parameters of another version. */
export function textOfCode(
  table: Readonly<Record<string, unknown>>,
  code: string | null | undefined,
  params: Record<string, unknown>,
): UiText | null {
  if (code == null || !Object.hasOwn(table, code)) return null;
  try {
    const text = (table[code] as (params: Record<string, unknown>) => unknown)(params);
    return isUiText(text) ? text : null;
  } catch {
    // Its parameters are those of another version, or name a code of one.
    return null;
  }
}

/** Reads a code and its parameters; the code is null for what is none. */
export function readCoded(written: string): { code: string | null; params: Record<string, unknown> } {
  const [, code = null, json = "{}"] = CODED.exec(written) ?? [];
  const params = readJson(Params, json);
  return params === null ? { code: null, params: {} } : { code, params };
}
