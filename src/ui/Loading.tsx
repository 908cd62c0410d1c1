import css from "./Loading.module.css";

/** A spinner, hidden from screen readers: the text beside it says what is loading. */
export function Spinner() {
  return <span className={css["spinner"]} aria-hidden="true" />;
}

export type SkeletonProps = {
  /** CSS lengths. A skeleton is as large as its content will be, so that nothing shifts. */
  width?: string;
  height?: string;
};

/** A visual placeholder; the loading text beside it is what screen readers announce. */
export function Skeleton({ width = "100%", height = "1em" }: SkeletonProps) {
  return <span className={css["skeleton"]} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />;
}
