import { CalendarDate, type DateValue, getLocalTimeZone, today } from "@internationalized/date";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { RefObject } from "react";
import {
  RangeCalendar as AriaRangeCalendar,
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Dialog,
  Heading,
  Popover,
} from "react-aria-components";
import { AriaLanguage } from "../language/AriaLanguage.tsx";
import { iconButtonClass } from "./Button.tsx";
import { Row } from "./layout.tsx";
import layout from "./layout.module.css";
import css from "./RangeCalendar.module.css";

/** A day of the calendar; `month` counts from 1. */
export type Day = { year: number; month: number; day: number };

export type RangeCalendarProps = {
  /** The accessible name of the panel. */
  label: string;
  /** The element that the panel is anchored to, and that gets the focus back. */
  triggerRef: RefObject<HTMLElement | null>;
  range: { start: Day | null; end: Day | null };
  onRange: (range: { start: Day; end: Day }) => void;
  onClose: () => void;
};

const valueOf = ({ year, month, day }: Day) => new CalendarDate(year, month, day);
const dayOf = ({ year, month, day }: DateValue): Day => ({ year, month, day });

/** A range calendar for pointer and keyboard; Escape or a press outside closes it. */
export default function RangeCalendar({ label, triggerRef, range, onRange, onClose }: RangeCalendarProps) {
  const start = range.start ?? range.end;
  const end = range.end ?? range.start;
  const value = start && end ? { start: valueOf(start), end: valueOf(end) } : null;
  return (
    <AriaLanguage>
      <Popover
        isOpen
        triggerRef={triggerRef}
        placement="bottom start"
        className={layout["raised"] ?? ""}
        onOpenChange={(isOpen) => {
          if (!isOpen) onClose();
        }}
      >
        <Dialog aria-label={label} className={css["dialog"] ?? ""}>
          <AriaRangeCalendar
            aria-label={label}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened this panel to choose a day
            autoFocus
            value={value && value.start.compare(value.end) <= 0 ? value : null}
            defaultFocusedValue={value?.start ?? today(getLocalTimeZone())}
            onChange={(chosen) => onRange({ start: dayOf(chosen.start), end: dayOf(chosen.end) })}
          >
            <Row as="header" justify="between" after={2} className={css["header"]}>
              <Button slot="previous" className={iconButtonClass()}>
                <ChevronLeft />
              </Button>
              <Heading className={css["heading"] ?? ""} />
              <Button slot="next" className={iconButtonClass()}>
                <ChevronRight />
              </Button>
            </Row>
            <CalendarGrid className={css["grid"] ?? ""}>
              <CalendarGridHeader>
                {(day) => <CalendarHeaderCell className={css["weekday"] ?? ""}>{day}</CalendarHeaderCell>}
              </CalendarGridHeader>
              <CalendarGridBody>{(date) => <CalendarCell date={date} className={css["day"] ?? ""} />}</CalendarGridBody>
            </CalendarGrid>
          </AriaRangeCalendar>
        </Dialog>
      </Popover>
    </AriaLanguage>
  );
}
