import type { UiTextOrString } from "#language";
import { FormProblem } from "./FormProblem.tsx";

type RefusalProps = {
  problem: UiTextOrString | null;
  refused: Readonly<Record<string, UiTextOrString>>;
  /** The fields at which the form shows what is refused of them. */
  fields: readonly string[];
};

/** Whether a text is another one, or tells it within its sentence. */
const tells = (text: unknown, other: UiTextOrString): boolean =>
  text === other ||
  (typeof text === "object" &&
    text !== null &&
    "values" in text &&
    Object.values(text.values ?? {}).some((value) => tells(value, other)));

/** Why a form was refused, where that does not stand at one of its fields already. */
export function Refusal({ problem, refused, fields }: RefusalProps) {
  if (problem === null) return null;
  const isAtField = fields.some((field) => {
    const said = refused[field];
    return said !== undefined && tells(problem, said);
  });
  return isAtField ? null : <FormProblem>{problem}</FormProblem>;
}
