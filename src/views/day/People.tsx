import { Link } from "wouter";
import { ForecastChart, stateOfPart } from "../../machines/forecast/forecast.machine.ts";
import { numberText } from "../../machines/kit/format.ts";
import { Card } from "../../ui/Card.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Avatar } from "../conversation/Avatar.tsx";
import { nameOf } from "../conversation/names.ts";
import { waitedText } from "../conversation/times.ts";
import css from "./DayView.module.css";

/** Who waits for an answer, the longest first. */
export function People({ clock }: { clock: number }) {
  const [chart, send] = ForecastChart.use();
  const { people } = chart.context;
  const state = stateOfPart(chart, "people");
  const retry = () => send({ type: "reading.retry" });
  if (state === "untold") return null;
  return (
    <Card className={css["side"]} aria-labelledby="day-people">
      <div className={css["head"]}>
        <h2 id="day-people" className={css["title"]}>
          Waiting
        </h2>
        {people !== null && <p className={css["count"]}>{numberText(people.count)}</p>}
      </div>
      {state === "unread" && <NotRead isShort what="the people waiting" onRetry={retry} />}
      {state === "outdated" && <NotRead isShort isOutdated what="the people waiting" onRetry={retry} />}
      {state === "loading" && (
        <div className={css["waiting"]} role="status" aria-label="Loading the people waiting...">
          <Skeleton height="2.25rem" />
          <Skeleton height="2.25rem" />
        </div>
      )}
      {people !== null && people.items.length === 0 && <p className={css["nothing"]}>Nobody waits for an answer</p>}
      {people !== null && people.items.length > 0 && (
        <>
          <ul className={css["people"]}>
            {people.items.map(({ lead, last, waiting_since }) => (
              <li key={lead.id}>
                <Link href={`/leads/${encodeURIComponent(lead.id)}`} className={css["person"] ?? ""}>
                  <Avatar id={lead.id} name={nameOf(lead)} />
                  <span className={css["words"]}>
                    <span className={css["name"]}>
                      <bdi>{nameOf(lead)}</bdi>
                    </span>
                    {last !== null && last.text !== "" && (
                      <span className={css["preview"]} dir="auto">
                        {last.text}
                      </span>
                    )}
                    {waiting_since !== null && <span className={css["since"]}>{waitedText(waiting_since, clock)}</span>}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {people.count > people.items.length && (
            <Link href="/inbox" className={css["onward"] ?? ""}>
              All {numberText(people.count)} in the inbox
            </Link>
          )}
        </>
      )}
    </Card>
  );
}
