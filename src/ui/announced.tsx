import type { ReactElement } from "react";

/** What is wrong with a field, said aloud when it appears; nothing while nothing is wrong. */
export const announced = (words: string | null | undefined): ReactElement | undefined =>
  words ? <span role="alert">{words}</span> : undefined;
