import { Link } from "wouter";
import { ForecastChart } from "../../machines/forecast/forecast.machine.ts";
import { heldOf, quietOf } from "../../machines/forecast/forecast.words.ts";
import { leadsText, numberText } from "../../machines/kit/format.ts";
import { Card } from "../../ui/Card.tsx";
import css from "./DayView.module.css";

/** What does not go out, why, and where a person can see to it. */
export function Held() {
  const day = ForecastChart.useSelector(({ context }) => context.day);
  if (day === null) return null;
  const held = heldOf(day.forecast.waiting);
  const quiet = quietOf(day.forecast.waiting);
  if (held.length === 0 && quiet.length === 0) return null;
  return (
    <Card className={css["side"]} aria-labelledby="day-held">
      <h2 id="day-held" className={css["title"]}>
        Held, and why
      </h2>
      {held.length === 0 && <p className={css["nothing"]}>Nothing is held up.</p>}
      {held.length > 0 && (
        <ul className={css["held"]}>
          {held.map(({ state, count, words: { name, next, to } }) => (
            <li key={state}>
              <p className={css["heldName"]}>
                {name} <span className={css["heldCount"]}>{leadsText(count)}</span>
              </p>
              <p className={css["heldNext"]}>
                {next} {to && <Link href={to.href}>{to.name}</Link>}
              </p>
            </li>
          ))}
        </ul>
      )}
      {quiet.length > 0 && (
        <p className={css["quiet"]}>
          Nothing to come: {quiet.map(({ count, words }) => `${numberText(count)} ${words}`).join(", ")}.
        </p>
      )}
    </Card>
  );
}
