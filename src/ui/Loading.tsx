import css from "./Loading.module.css";

/** A spinner, hidden from screen readers: the text beside it says what is loading. */
export function Spinner() {
  return <span className={css["spinner"]} aria-hidden="true" />;
}

export type SkeletonProps = {
  /** CSS lengths; a skeleton takes the room its content will take, so that nothing moves when it comes. */
  width?: string;
  height?: string;
};

/** A quiet placeholder for the eye alone; the loading text beside it is what gets announced. */
export function Skeleton({ width = "100%", height = "1em" }: SkeletonProps) {
  return <span className={css["skeleton"]} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />;
}
