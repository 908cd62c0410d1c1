import * as v from "valibot";
import { readJson } from "./read-json.ts";

const Params = v.record(v.string(), v.unknown());
const CODED = /^([a-z_0-9]+)(?: (\{.*\}))?$/s;

/** Reads a code and its parameters; the code is null for what is none. */
export function readCoded(written: string): { code: string | null; params: Record<string, unknown> } {
  const [, code = null, json = "{}"] = CODED.exec(written) ?? [];
  const params = readJson(Params, json);
  return params === null ? { code: null, params: {} } : { code, params };
}
