import { type UiTextOrString, useTranslate } from "#language";
import { FormProblem } from "./FormProblem.tsx";

type RefusalProps = {
  problem: UiTextOrString | null;
  refused: Readonly<Record<string, UiTextOrString>>;
  /** The fields at which the form shows what is refused of them. */
  fields: readonly string[];
};

/** Why a form was refused, where that does not stand at one of its fields already. */
export function Refusal({ problem, refused, fields }: RefusalProps) {
  const translate = useTranslate();
  if (problem === null) return null;
  const told = translate(problem).toLowerCase();
  const isAtField = fields.some((field) => {
    const said = refused[field];
    return said !== undefined && told.endsWith(translate(said).toLowerCase());
  });
  return isAtField ? null : <FormProblem>{problem}</FormProblem>;
}
