import { type ReactNode, useId } from "react";
import { type UiTextOrString, translate } from "#language";
import { Note, Row, Stack, Text, Code } from "../../ui/layout.tsx";
import css from "./integrations.module.css";

export type Choice = { id: string; name: string; description: UiTextOrString };

type ChoicesProps = {
  legend: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  isDisabled: boolean;
  problem: UiTextOrString | undefined;
  onChange: (chosen: string[]) => void;
  children?: ReactNode;
};

/** Checkboxes with descriptions, and their shared error below. */
export function Choices({ legend, choices, chosen, isDisabled, problem, onChange, children }: ChoicesProps) {
  const id = useId();
  const flip = (choice: string) =>
    onChange(choices.map((known) => known.id).filter((known) => chosen.includes(known) !== (known === choice)));
  return (
    <Stack as="fieldset" gap={2} disabled={isDisabled}>
      <Text as="legend" after={2} size="sm" weight="medium">
        {legend}
      </Text>
      {choices.map(({ id: choice, name, description }) => (
        <Row as="label" pad={[1, 0]} align="start" gap={2} key={choice} className={css["choice"]}>
          <input
            type="checkbox"
            aria-label={name}
            aria-describedby={`${id}-${choice}${problem === undefined ? "" : ` ${id}-problem`}`}
            aria-invalid={problem !== undefined || undefined}
            checked={chosen.includes(choice)}
            onChange={() => flip(choice)}
          />
          <Row as="span" wraps gap={[0, 2]}>
            <Code>{name}</Code>
            <Note as="span" id={`${id}-${choice}`}>
              {translate(description)}
            </Note>
          </Row>
        </Row>
      ))}
      {children}
      {problem !== undefined && (
        <Text size="sm" tone="bad" id={`${id}-problem`} role="alert">
          {translate(problem)}
        </Text>
      )}
    </Stack>
  );
}
