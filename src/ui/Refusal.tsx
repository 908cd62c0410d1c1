import { FormProblem } from "./FormProblem.tsx";

type RefusalProps = {
  problem: string | null;
  refused: Readonly<Record<string, string>>;
  /** The fields at which the form shows what is refused of them. */
  fields: readonly string[];
};

/** Why a form was refused, where that does not stand at one of its fields already. */
export function Refusal({ problem, refused, fields }: RefusalProps) {
  if (problem === null) return null;
  const told = problem.toLowerCase();
  const isAtField = fields.some((field) => {
    const said = refused[field];
    return said !== undefined && told.endsWith(said.toLowerCase());
  });
  return isAtField ? null : <FormProblem>{problem}</FormProblem>;
}
