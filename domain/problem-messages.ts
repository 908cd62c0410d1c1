import * as v from "valibot";

/** The parameters of a refusal to remove options that leads hold. */
const OptionInUse = v.object({ leads: v.number(), options: v.array(v.string()) });
export type OptionInUse = v.InferOutput<typeof OptionInUse>;
export const OptionInUseProblem = v.object({ code: v.literal("option_in_use"), params: OptionInUse });

/** '2 leads hold "North".' */
export const optionInUseMessage = ({ leads, options }: OptionInUse): string =>
  `${leads === 1 ? "1 lead holds" : `${leads} leads hold`} ${options.map((option) => `"${option}"`).join(", ")}.`;

/** The English message of an error, by its code: the server's answers are worded here, and a page may word them in its own language. */
export const PROBLEM_MESSAGES = {
  option_in_use: (params: OptionInUse) =>
    `${optionInUseMessage(params)} Say in move_to which option they get instead, or null to leave them without.`,
} as const satisfies Record<string, (params: never) => string>;
export type ProblemCode = keyof typeof PROBLEM_MESSAGES;
