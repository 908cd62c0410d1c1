import { type ReactNode, useId } from "react";
import { ForecastChart, stateOfPart } from "../../machines/forecast/forecast.machine.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import { Card, Row, Stack } from "../../ui/layout.tsx";

type PartCardProps = {
  part: Parameters<typeof stateOfPart>[1];
  title: string;
  /** The part's name in a sentence. */
  what: string;
  /** Shown beside the title. */
  aside: ReactNode;
  children: ReactNode;
};

/** The card of one part of the forecast, with an error if the part failed to load. */
export function PartCard({ part, title, what, aside, children }: PartCardProps) {
  const id = useId();
  const [chart, send] = ForecastChart.use();
  const state = stateOfPart(chart, part);
  const isOutdated = state === "outdated";
  return (
    <Stack as={Card} gap={3} aria-labelledby={id}>
      <Row wraps align="baseline" justify="between" gap={[1, 3]}>
        <h2 id={id}>{title}</h2>
        {aside}
      </Row>
      {(state === "loadFailed" || isOutdated) && (
        <LoadError isShort isOutdated={isOutdated} what={what} onRetry={() => send({ type: "reading.retry" })} />
      )}
      {children}
    </Stack>
  );
}
