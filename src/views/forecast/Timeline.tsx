import { t } from "@lingui/core/macro";
import { translate } from "#language";
import { Circle, Line } from "@visx/shape";
import { Link } from "wouter";
import type { Forecast } from "../../../domain/forecast.ts";
import { hourText, numberText } from "../../language/format.ts";
import { useWidth } from "../../ui/hooks.ts";
import css from "./Timeline.module.css";
import { DOT, HIGHEST, barsOf, dotsOf, hoursOf, placeOf } from "./timeline.ts";
import { hrefOf, lineOf } from "./texts.ts";

const TOP = 18;
const FLOOR = TOP + HIGHEST * DOT;
const HEIGHT = FLOOR + 26;
const SIDE = 18;

/** A timeline with a dot per message, hidden from screen readers: the list below has the same content. */
export function Timeline({ forecast, now }: { forecast: Forecast; now: number }) {
  const [width, ref] = useWidth(640);
  const span = [now, Math.max(now + 1, Date.parse(forecast.until))] as const;
  const x = placeOf(span, width, SIDE);
  const dots = forecast.total > forecast.items.length ? null : dotsOf(forecast.items, x);
  const hours = hoursOf(span, width < 480 ? 6 : 3);
  return (
    <div ref={ref} className={css["timeline"]}>
      <svg width={width} height={HEIGHT} className={`mirrored ${css["svg"]}`} aria-hidden="true">
        {hours.map((hour) => (
          <g key={hour} data-midnight={new Date(hour).getHours() === 0 || undefined} className={css["hour"]}>
            <Line from={{ x: x(hour), y: TOP }} to={{ x: x(hour), y: FLOOR }} />
            <text x={x(hour)} y={FLOOR + 18} textAnchor="middle">
              {hourText(new Date(hour).toISOString())}
            </text>
          </g>
        ))}
        <Line from={{ x: SIDE, y: FLOOR }} to={{ x: width - SIDE, y: FLOOR }} className={css["floor"] ?? ""} />
        <Line from={{ x: x(now), y: TOP - 4 }} to={{ x: x(now), y: FLOOR }} className={css["now"] ?? ""} />
        <text x={x(now)} y={TOP - 8} textAnchor="start" className={css["nowText"]}>
          {t`now`}
        </text>
        {dots === null ? <Bars forecast={forecast} span={span} xOf={x} /> : <Dots dots={dots} />}
      </svg>
    </div>
  );
}

function Dots({ dots }: { dots: NonNullable<ReturnType<typeof dotsOf>> }) {
  return dots.map(({ item, index, x, level }) => {
    const href = hrefOf(item);
    const y = FLOOR - (level + 0.5) * DOT;
    const side = DOT - 4;
    const dot = (
      <>
        <title>{translate(lineOf(item))}</title>
        {item.kind === "followup" ? (
          <Circle cx={x} cy={y} r={side / 2} />
        ) : (
          <rect x={x - side / 2} y={y - side / 2} width={side} height={side} rx={1.5} />
        )}
      </>
    );
    const key = `${index} ${item.at}`;
    return href === null ? (
      <g key={key} className={css["dot"]} data-kind={item.kind}>
        {dot}
      </g>
    ) : (
      <Link key={key} href={href} className={css["dot"] ?? ""} data-kind={item.kind} tabIndex={-1}>
        {dot}
      </Link>
    );
  });
}

type BarsProps = { forecast: Forecast; span: readonly [number, number]; xOf: (time: number) => number };

function Bars({ forecast, span, xOf }: BarsProps) {
  const bars = barsOf(forecast, span);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const y = (count: number) => FLOOR - (count / most) * (FLOOR - TOP - 12);
  return bars.map(({ key, from, to, count }) => {
    const [left, right] = [xOf(from) + 1, xOf(to) - 1];
    return (
      <g key={key} className={css["bar"]}>
        <title>{`${hourText(new Date(from).toISOString())}: ${numberText(count)}`}</title>
        <rect x={left} width={Math.max(1, right - left)} y={y(count)} height={FLOOR - y(count)} rx={2} />
        {right - left > 6 * numberText(count).length && (
          <text x={(left + right) / 2} y={y(count) - 4} textAnchor="middle">
            {numberText(count)}
          </text>
        )}
      </g>
    );
  });
}
