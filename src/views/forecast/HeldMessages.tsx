import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import { translate } from "#language";
import { ForecastChart } from "../../machines/forecast/forecast.machine.ts";
import { heldGroups, quietOf } from "../../machines/forecast/forecast.texts.ts";
import { leadsText } from "../../language/format.ts";
import { Card, Grid, Note, Row, Stack, Span } from "../../ui/layout.tsx";

/** What is not sent, why, and where the user can act. */
export function HeldMessages() {
  const day = ForecastChart.useSelector(({ context }) => context.day);
  if (day === null) return null;
  const held = heldGroups(day.forecast.waiting);
  const quiet = quietOf(day.forecast.waiting);
  if (held.length === 0 && quiet.length === 0) return null;
  return (
    <Stack as={Card} gap={3} aria-labelledby="day-held">
      <h2 id="day-held">{t`Held, and why`}</h2>
      {held.length === 0 && <Note>{t`Nothing is held up.`}</Note>}
      {held.length > 0 && (
        <Grid as="ul" min="17rem" gap={[3, 5]}>
          {held.map(({ state, count, texts: { name, next, to } }) => (
            <li key={state}>
              <Row as="p" align="stretch" justify="between" gap={[0, 3]} weight="medium">
                {translate(name)}{" "}
                <Span share="own" tone="muted" weight="normal">
                  {leadsText(count)}
                </Span>
              </Row>
              <Note>
                {translate(next)} {to && <Link href={to.href}>{translate(to.name)}</Link>}
              </Note>
            </li>
          ))}
        </Grid>
      )}
      {quiet.length > 0 && (
        <Note as="div">
          {t`Nothing is planned for:`}
          <ul>
            {quiet.map(({ state, count, texts }) => (
              <li key={state}>{translate(texts(count))}</li>
            ))}
          </ul>
        </Note>
      )}
    </Stack>
  );
}
