import css from "./Loading.module.css";

/** A spinner, hidden from screen readers: the text beside it says what is loading. */
export function Spinner() {
  return <span className={css["spinner"]} aria-hidden="true" />;
}

/** A placeholder as large as the content, so that nothing shifts. Screen readers announce the loading text next to it. */
export function Skeleton({ width = "100%", height = "1em" }: { width?: string; height?: string }) {
  return <span className={css["skeleton"]} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />;
}
