import type { FIELD_PROBLEMS } from "./field-problems.ts";
import type { INPUT_PROBLEMS } from "./input-problems.ts";

type Messages = typeof FIELD_PROBLEMS & typeof INPUT_PROBLEMS;
type FieldProblemCode = keyof Messages;
type ParamsOf<Code extends FieldProblemCode> = Parameters<Messages[Code]>;

/** Writes a code and its parameters as the message of a schema, which is a string. */
export const fieldProblem = <Code extends FieldProblemCode>(code: Code, ...params: ParamsOf<Code>): string =>
  params.length === 0 ? code : `${code} ${JSON.stringify(params[0])}`;
