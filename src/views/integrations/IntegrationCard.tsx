import { Plus } from "lucide-react";
import type { UiTextOrString } from "#language";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { Card, Stack } from "../../ui/layout.tsx";
import { useReturningFocus } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { ReadProblems } from "../shell/ReadProblems.tsx";

type IntegrationCardProps = ComponentProps<typeof ReadProblems> & {
  /** The error, unless a form shows it. */
  problem: UiTextOrString | null;
  /** The open form; null if none is open. */
  form: ReactNode;
  /** Whether a new secret is shown. */
  isRevealed: boolean;
  /** Adds another item, unless something else is open. */
  adding: { label: string; isAriaDisabled: boolean; onAdd: () => void };
  children: ReactNode;
};

/** A list of keys or webhooks, the form for one, and the secret of a new one. */
export function IntegrationCard({ chart, send, problem, form, isRevealed, adding, children }: IntegrationCardProps) {
  const isAway = form !== null || isRevealed;
  const addAgain = useReturningFocus(isAway);
  return (
    <Stack as={Card} gap={3}>
      {chart.hasTag("loading") && <Skeleton height="4rem" />}
      <ReadProblems chart={chart} send={send} />
      {form === null && <FormProblem>{problem}</FormProblem>}
      {children}
      {form}
      {!isAway && (
        <Button ref={addAgain} isAtStart isAriaDisabled={adding.isAriaDisabled} onClick={adding.onAdd}>
          <Plus />
          {adding.label}
        </Button>
      )}
    </Stack>
  );
}
