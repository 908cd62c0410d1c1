import { translate } from "#language";
import { plural, t } from "@lingui/core/macro";
import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Forecast, ForecastItem } from "../../../domain/forecast.ts";
import { type Day, ForecastChart, stateOfPart } from "../../machines/forecast/forecast.machine.ts";
import { hourText, numberText } from "../../language/format.ts";
import { Note, Row, Stack, Span } from "../../ui/layout.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import css from "./ForecastView.module.css";
import { PartCard } from "./PartCard.tsx";
import { Timeline } from "./Timeline.tsx";
import { hrefOf, isLaterDay, recipientText, whatOf } from "./texts.ts";

/** Whether nothing can be planned for any lead yet, and no account is connected, as far as is known. */
type FirstRun = { isFirstRun: boolean; isUnconnected: boolean };

/** How many items the collapsed list shows. */
const FEW = 6;

/** The automatic messages of the next 24 hours. */
export function Planned({ clock, ...first }: { clock: number } & FirstRun) {
  const [chart] = ForecastChart.use();
  const { day } = chart.context;
  const state = stateOfPart(chart, "day");
  if (state === "unknown") return null;
  return (
    <PartCard
      part="day"
      title={t`Next 24 hours`}
      what={t`the next 24 hours`}
      aside={
        day !== null && <Note>{t`${plural({ total: totalOf(day) }, { one: "# message", other: "# messages" })}`}</Note>
      }
    >
      {state === "loading" && (
        <Stack gap={3} role="status" aria-label={t`Loading the next 24 hours...`}>
          <Skeleton height="7.5rem" />
          <Skeleton width="80%" height="1.25rem" />
          <Skeleton width="65%" height="1.25rem" />
          <Skeleton width="72%" height="1.25rem" />
        </Stack>
      )}
      {day !== null && <Known day={day} clock={clock} {...first} />}
    </PartCard>
  );
}

const totalOf = ({ forecast }: Day) => Math.max(forecast.total, forecast.items.length);

function Known({ day, clock, isFirstRun, isUnconnected }: { day: Day; clock: number } & FirstRun) {
  const { forecast, readAt } = day;
  // Uses the server's clock, advanced by the time since the response.
  const now = Date.parse(forecast.now) + Math.max(0, clock - readAt);
  if (forecast.items.length > 0)
    return (
      <>
        <Timeline forecast={forecast} now={now} />
        <List forecast={forecast} now={now} />
      </>
    );
  if (isFirstRun)
    return (
      <EmptyState icon={<CalendarClock />} title={t`Nothing is planned yet`}>
        {t`Whoever writes to your account becomes a lead. Once you switch automatic follow-ups on, those of their stage go out when they are due.`}
        <Row as="span" wraps justify="center" gap={[2, 4]} before={2}>
          <Link href="/followups">{t`Write a follow-up`}</Link>
          {isUnconnected && <Link href="/connect-telegram">{t`Connect Telegram`}</Link>}
        </Row>
      </EmptyState>
    );
  return (
    <>
      <Timeline forecast={forecast} now={now} />
      <Note>{t`Nothing goes out by itself in this time.`}</Note>
    </>
  );
}

function List({ forecast, now }: { forecast: Forecast; now: number }) {
  const [isWhole, setIsWhole] = useState(false);
  const { items } = forecast;
  const shown = isWhole ? items : items.slice(0, FEW);
  const beyond = Math.max(0, forecast.total - items.length);
  return (
    <>
      <Stack as="ol" aria-label={t`Messages in the next 24 hours`}>
        {shown.map((item, index) => (
          <Line
            key={`${item.at} ${item.lead?.id} ${item.step?.id} ${item.kind} ${item.preview}`}
            {...{ item, now }}
            before={shown[index - 1]}
          />
        ))}
      </Stack>
      {isWhole && beyond > 0 && <Note>{t`And ${{ beyond: numberText(beyond) }} more after these.`}</Note>}
      {items.length > FEW && (
        <button type="button" className={css["more"]} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole
            ? t`Show fewer`
            : beyond > 0
              ? t`Show the first ${{ count: numberText(items.length) }}`
              : t`Show all ${{ count: numberText(items.length) }}`}
        </button>
      )}
    </>
  );
}

/** A message may still be in progress this long after its time; later, only its time is known until the next refresh. */
const NOW_MS = 300_000;

const isDueNow = ({ at }: ForecastItem, now: number) => Date.parse(at) <= now && Date.parse(at) > now - NOW_MS;

function Line({ item, now, before }: { item: ForecastItem; now: number; before: ForecastItem | undefined }) {
  const href = hrefOf(item);
  const isNewDay = isLaterDay(item.at, now) && (before === undefined || !isLaterDay(before.at, now));
  const text = item.preview || item.step?.preview || "";
  const content = (
    <>
      <time className={css["time"]} dateTime={item.at}>
        {isDueNow(item, now) ? t`now` : hourText(item.at)}
      </time>
      <Span clamp={1} weight="medium">
        <bdi>{translate(recipientText(item))}</bdi>
      </Span>
      <Note as="span">{translate(whatOf(item))}</Note>
      {text !== "" && (
        <Note as="span" clamp={1} className={css["preview"]} dir="auto">
          {text}
        </Note>
      )}
    </>
  );
  return (
    <li>
      {isNewDay && (
        <Note size="xs" weight="strong" className={css["dayName"]}>
          {t`Tomorrow`}
        </Note>
      )}
      {href === null ? (
        <span className={css["line"]}>{content}</span>
      ) : (
        <Link href={href} className={css["line"] ?? ""}>
          {content}
        </Link>
      )}
    </li>
  );
}
