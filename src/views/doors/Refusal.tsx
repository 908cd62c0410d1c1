import { FormProblem } from "../../ui/FormProblem.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";

type RefusalProps = { problem: string | null; refused: Readonly<Record<string, string>> };

/** Why a form was refused. What stands at its field already is announced, and not written twice. */
export function Refusal({ problem, refused }: RefusalProps) {
  if (problem === null) return null;
  const words = <FormProblem>{problem}</FormProblem>;
  const isAtField = Object.values(refused).some((said) => problem.includes(said));
  return isAtField ? <VisuallyHidden>{words}</VisuallyHidden> : words;
}
