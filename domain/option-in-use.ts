import { msg, plural } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { quoted } from "./lists.ts";
import type { UiText } from "./ui-text.ts";

/** The parameters of a refusal to remove options that leads hold. */
const OptionInUse = v.object({ leads: v.number(), options: v.array(v.string()) });
export type OptionInUse = v.InferOutput<typeof OptionInUse>;
export const OptionInUseProblem = v.object({ code: v.literal("option_in_use"), params: OptionInUse });

/** '2 leads hold “North”.' */
export const optionInUseMessage = ({ leads, options }: OptionInUse): UiText =>
  msg`${plural({ leads }, { one: "{leads} lead holds", other: "{leads} leads hold" })} ${{ options: quoted(options) }}.`;
