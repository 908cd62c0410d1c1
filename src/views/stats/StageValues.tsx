import { useId, useMemo } from "react";
import { stageFigures } from "../../machines/stats/stats.figures.ts";
import { Stats } from "../../machines/stats/stats.machine.ts";
import { Card } from "../../ui/Card.tsx";
import { amountText } from "../board/amount.ts";
import css from "./StageValues.module.css";

/** What the period's leads are worth, stage by stage; `name` is the value field's, null while it is not known. */
export function StageValues({ name }: { name: string | null }) {
  const id = useId();
  const { breakdown } = Stats.useSelector(({ context }) => context.figures);
  const stages = Stats.useSelector(({ context }) => context.stages);
  const rows = useMemo(() => {
    const values = new Map(breakdown?.map(({ stage_id: stage, value }) => [String(stage), value ?? 0]));
    return stageFigures(breakdown ?? [], stages).map((stage) => ({ ...stage, value: values.get(stage.id) ?? 0 }));
  }, [breakdown, stages]);
  const most = Math.max(...rows.map(({ value }) => value), 0);
  const total = rows.reduce((sum, { value }) => sum + value, 0);
  return (
    <Card aria-labelledby={id} className={css["card"]}>
      <h2 id={id} className={css["title"]}>
        {name ?? "Value"} per Stage
      </h2>
      <p className={css["note"]}>{amountText(total)} in all.</p>
      <ul className={css["rows"]}>
        {rows.map((row) => (
          <li key={row.id} className={css["row"]}>
            <span className={css["name"]} dir="auto">
              {row.name}
            </span>
            <span className={css["value"]}>{amountText(row.value)}</span>
            <span className={css["track"]} aria-hidden="true">
              <span
                className={css["fill"]}
                style={{
                  inlineSize: `${most > 0 ? Math.max(0, (100 * row.value) / most) : 0}%`,
                  backgroundColor: row.color,
                }}
              />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
