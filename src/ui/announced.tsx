import type { ReactElement } from "react";
import { Translated, type UiTextOrString } from "#language";

/** What is wrong with a field, said aloud when it appears; nothing while nothing is wrong. */
export const announced = (text: UiTextOrString | null | undefined): ReactElement | undefined =>
  text ? (
    <span role="alert">
      <Translated text={text} />
    </span>
  ) : undefined;
