import { t } from "@lingui/core/macro";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { UiTextOrString } from "#language";
import { TextField } from "./Field.tsx";

/** Days as `2026-03-05`; empty if not set. */
export type Days = { start: string; end: string };
type Side = keyof Days;

type DayRangeProps = {
  labels: Days;
  days: Days;
  onDays: (days: Days) => void;
  /** Why a range of two whole days is invalid; null if it is valid. */
  problemOf: (days: Days) => UiTextOrString | null;
};

/** A partly typed year is a valid year too: `2026` is typed by way of 2, 20 and 202. */
const FIRST_YEAR = 2000;
const PAUSE_MS = 600;

type Typed = {
  /** The applied days when typing began. */
  over: Days;
  days: Days;
  /** Fields with a partial date, which the browser reports as empty. */
  isHalf: Partial<Record<Side, boolean>>;
  /** The problems of fields that lost the focus. */
  left: Partial<Days>;
  problem: UiTextOrString | null;
  /** Applies after a delay. */
  isWaiting: boolean;
};

const isWhole = (day: string) => day === "" || Number(day.slice(0, 4)) >= FIRST_YEAR;
const isSame = (one: Days, other: Days) => one.start === other.start && one.end === other.end;

/**
 * Two date fields that apply a range once both days are whole and the range is valid. A picked day applies at once, a typed one after a
 * delay, on Enter, or when the field loses focus.
 */
export function DayRange({ labels, days, onDays, problemOf }: DayRangeProps) {
  const stateOf = (shown: Days): Typed => {
    const isRange = shown.start !== "" && shown.end !== "";
    const problem = isRange ? problemOf(shown) : null;
    return { over: days, days: shown, isHalf: {}, left: {}, problem, isWaiting: false };
  };
  const [typed, setTyped] = useState(() => stateOf(days));
  if (!isSame(typed.over, days)) setTyped(stateOf(days));

  const isTyping = useRef(false);
  const apply = (next: Typed) => {
    const { start, end } = next.days;
    const areWhole = isWhole(start) && isWhole(end) && !next.isHalf.start && !next.isHalf.end;
    const problem = areWhole ? stateOf(next.days).problem : null;
    setTyped({ ...next, isWaiting: false, problem });
    if (areWhole && problem === null && !isSame(next.days, days)) onDays(next.days);
  };
  const change = (side: Side, { value, validity }: HTMLInputElement) => {
    const next = {
      over: days,
      days: { ...typed.days, [side]: value },
      isHalf: { ...typed.isHalf, [side]: validity.badInput },
      left: { ...typed.left, [side]: "" },
      problem: null,
      isWaiting: isTyping.current,
    };
    if (isTyping.current) setTyped(next);
    else apply(next);
  };
  const applyTyped = useEffectEvent(() => apply(typed));
  useEffect(() => {
    if (!typed.isWaiting) return undefined;
    const timer = setTimeout(() => applyTyped(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const leave = (side: Side, { value, validity }: HTMLInputElement) => {
    isTyping.current = false;
    const year = isWhole(value) ? "" : t`Enter a year from ${FIRST_YEAR} on.`;
    apply({
      ...typed,
      isHalf: { ...typed.isHalf, [side]: validity.badInput },
      left: { ...typed.left, [side]: validity.badInput ? t`Enter the whole date.` : year },
    });
  };

  const field = (side: Side, limits: { min?: string | undefined; max: string }) => (
    <TextField
      type="date"
      label={labels[side]}
      {...limits}
      errorMessage={typed.left[side] || (side === "end" ? typed.problem : null)}
      value={typed.days[side]}
      onChange={({ target }) => change(side, target)}
      onBlur={({ target }) => leave(side, target)}
      onPointerDown={() => {
        isTyping.current = false;
      }}
      onKeyDown={({ key }) => {
        isTyping.current = true;
        if (key === "Enter") apply(typed);
      }}
    />
  );
  return (
    <>
      {field("start", { max: typed.days.end || "9999-12-31" })}
      {field("end", { min: typed.days.start || undefined, max: "9999-12-31" })}
    </>
  );
}
