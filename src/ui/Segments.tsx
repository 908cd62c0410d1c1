import css from "./Segments.module.css";
import { classNames } from "./class-names.ts";

export type SegmentsProps<Id extends string> = {
  label: string;
  choices: Record<Id, string>;
  chosen: Id;
  onChoose: (id: Id) => void;
  /** Returns the `data-command` of a choice. */
  commandOf?: (id: Id) => string;
  className?: string | undefined;
};

/** A choice of a few options, as joined buttons. */
export function Segments<Id extends string>({
  label,
  choices,
  chosen,
  onChoose,
  commandOf,
  className,
}: SegmentsProps<Id>) {
  return (
    <div role="group" aria-label={label} className={classNames(css["segments"], className)}>
      {(Object.keys(choices) as Id[]).map((id) => (
        <button
          key={id}
          type="button"
          data-command={commandOf?.(id)}
          className={css["segment"]}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {choices[id]}
        </button>
      ))}
    </div>
  );
}
