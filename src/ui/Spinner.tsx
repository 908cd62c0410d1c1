import css from "./Spinner.module.css";

/** A turning ring for the eye alone; the words beside it say what is going on. */
export function Spinner() {
  return <span className={css["spinner"]} aria-hidden="true" />;
}
