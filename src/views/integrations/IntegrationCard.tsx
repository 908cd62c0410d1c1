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
  /** What was refused; the form, where there is one, tells its own. */
  problem: UiTextOrString | null;
  /** The one that is being written; null while none is. */
  form: ReactNode;
  /** A new one's secret is being shown. */
  isRevealed: boolean;
  /** Begins another, where nothing else is in hand. */
  adding: { label: string; isResting: boolean; onAdd: () => void };
  children: ReactNode;
};

/** Things by which programs come in or are told: the list of them, one being written, and a new one's secret. */
export function IntegrationCard({ chart, send, problem, form, isRevealed, adding, children }: IntegrationCardProps) {
  const isAway = form !== null || isRevealed;
  const addAgain = useReturningFocus(isAway);
  return (
    <Stack as={Card} gap={3} share="less">
      {chart.hasTag("loading") && <Skeleton height="4rem" />}
      <ReadProblems chart={chart} send={send} />
      {problem !== null && form === null && <FormProblem>{problem}</FormProblem>}
      {children}
      {form}
      {!isAway && (
        <Button ref={addAgain} isAtStart isResting={adding.isResting} onClick={adding.onAdd}>
          <Plus aria-hidden="true" />
          {adding.label}
        </Button>
      )}
    </Stack>
  );
}
