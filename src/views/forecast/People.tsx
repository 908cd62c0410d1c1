import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import { ForecastChart, stateOfPart } from "../../machines/forecast/forecast.machine.ts";
import { numberText } from "../../language/format.ts";
import { Note, Stack, Span } from "../../ui/layout.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Avatar } from "../conversation/Avatar.tsx";
import { nameOf } from "../conversation/names.ts";
import { waitedText } from "../conversation/times.ts";
import css from "./ForecastView.module.css";
import { PartCard } from "./PartCard.tsx";

/** Leads that are waiting for a reply, longest wait first. */
export function People({ clock }: { clock: number }) {
  const [chart] = ForecastChart.use();
  const { people } = chart.context;
  const state = stateOfPart(chart, "people");
  if (state === "unknown") return null;
  return (
    <PartCard
      part="people"
      title={t`Waiting`}
      what={t`the people waiting`}
      aside={people !== null && <Note>{numberText(people.count)}</Note>}
    >
      {state === "loading" && (
        <Stack gap={3} role="status" aria-label={t`Loading the people waiting...`}>
          <Skeleton height="2.25rem" />
          <Skeleton height="2.25rem" />
        </Stack>
      )}
      {people !== null && people.items.length === 0 && <Note>{t`Nobody waits for an answer`}</Note>}
      {people !== null && people.items.length > 0 && (
        <>
          <Stack as="ul">
            {people.items.map(({ lead, last, waiting_since }) => (
              <li key={lead.id}>
                <Link href={`/leads/${encodeURIComponent(lead.id)}`} className={css["person"] ?? ""}>
                  <Avatar id={lead.id} name={nameOf(lead)} />
                  <Stack as="span" share="rest">
                    <Span clamp={1} weight="medium">
                      <bdi>{nameOf(lead)}</bdi>
                    </Span>
                    {last !== null && last.text !== "" && (
                      <Note as="span" clamp={1} className={css["preview"]} dir="auto">
                        {last.text}
                      </Note>
                    )}
                    {waiting_since !== null && (
                      <Span size="xs" tone="warn">
                        {waitedText(waiting_since, clock)}
                      </Span>
                    )}
                  </Stack>
                </Link>
              </li>
            ))}
          </Stack>
          {people.count > people.items.length && (
            <Link href="/inbox" className={css["onward"] ?? ""}>
              {t`All ${{ count: numberText(people.count) }} in the inbox`}
            </Link>
          )}
        </>
      )}
    </PartCard>
  );
}
