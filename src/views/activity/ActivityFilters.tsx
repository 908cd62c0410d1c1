import { X } from "lucide-react";
import { useState } from "react";
import { LEDGER_KINDS, LEDGER_STATES } from "../../../domain/ledger.ts";
import { kindName } from "../../machines/kit/send-words.ts";
import {
  STATE_WORDS,
  selectFilters,
  selectPerson,
  useCanLedger,
  useLedger,
  useLedgerEvents,
} from "../../machines/ledger/index.ts";
import { Button } from "../../ui/Button.tsx";
import { ActingSelect } from "../../ui/ActingSelect.tsx";
import { TextField } from "../../ui/TextField.tsx";
import css from "./ActivityFilters.module.css";

/** What narrows the list down; each acts as it is chosen and stands in the address. */
export function ActivityFilters() {
  const { leadId, kind, state, from, to } = useLedger(selectFilters);
  const person = useLedger(selectPerson);
  const canClear = useCanLedger({ type: "filters.clear" });
  const { changeFilters, clearFilters } = useLedgerEvents();
  return (
    <div className={css["filters"]} role="group" aria-label="Filters">
      <ActingSelect
        label="Kind"
        value={kind}
        onChoose={(value) => changeFilters({ kind: LEDGER_KINDS.find((known) => known === value) ?? "" })}
      >
        <option value="">All kinds</option>
        {LEDGER_KINDS.map((each) => (
          <option key={each} value={each}>
            {kindName(each)}
          </option>
        ))}
      </ActingSelect>
      <ActingSelect
        label="State"
        value={state}
        onChoose={(value) => changeFilters({ state: LEDGER_STATES.find((known) => known === value) ?? "" })}
      >
        <option value="">All states</option>
        {LEDGER_STATES.map((each) => (
          <option key={each} value={each}>
            {STATE_WORDS[each].name}
          </option>
        ))}
      </ActingSelect>
      <DayField label="From" day={from} onDay={(day) => changeFilters({ from: day })} />
      <DayField
        label="To"
        day={to}
        onDay={(day) => changeFilters({ to: day })}
        errorMessage={from !== "" && to !== "" && to < from ? "Lies before the first day." : undefined}
      />
      <div className={css["rest"]}>
        {leadId !== "" && (
          <button
            type="button"
            className={css["person"]}
            aria-label={`Only to ${person || "one person"}: show everybody`}
            title="Show everybody"
            onClick={() => changeFilters({ leadId: "" })}
          >
            <span>
              Only to <bdi>{person || "one person"}</bdi>
            </span>
            <X aria-hidden="true" />
          </button>
        )}
        <Button disabled={!canClear} onClick={clearFilters}>
          Clear filters
        </Button>
      </div>
    </div>
  );
}

type DayFieldProps = { label: string; day: string; onDay: (day: string) => void; errorMessage?: string | undefined };

/** A day that acts once it is whole: while a year is typed, its first digits are a year too. */
function DayField({ label, day, onDay, errorMessage }: DayFieldProps) {
  const [typed, setTyped] = useState({ of: day, text: day });
  if (typed.of !== day) setTyped({ of: day, text: day });
  const change = (text: string) => {
    setTyped({ of: day, text });
    if (text === "" || Number(text.slice(0, 4)) >= 2000) onDay(text);
  };
  return (
    <TextField
      type="date"
      label={label}
      max="9999-12-31"
      errorMessage={errorMessage}
      value={typed.text}
      onChange={({ target }) => change(target.value)}
    />
  );
}
