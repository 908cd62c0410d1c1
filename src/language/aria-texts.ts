import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../domain/ui-text.ts";

/** The texts that react-aria looks up, by package and key. Of drag and drop only those of `useDrag` and `useDrop`. */
const TEXTS: Record<string, Record<string, UiText>> = {
  "@react-aria/autocomplete": { collectionLabel: msg`Suggestions` },
  "@react-aria/calendar": {
    previous: msg`Previous`,
    next: msg`Next`,
    selectedDateDescription: msg({ message: "Selected Date: {date}" }),
    selectedRangeDescription: msg({ message: "Selected Range: {dateRange}" }),
    todayDate: msg({ message: "Today, {date}" }),
    todayDateSelected: msg({ message: "Today, {date} selected" }),
    dateSelected: msg({ message: "{date} selected" }),
    startRangeSelectionPrompt: msg`Click to start selecting date range`,
    finishRangeSelectionPrompt: msg`Click to finish selecting date range`,
    minimumDate: msg`First available date`,
    maximumDate: msg`Last available date`,
    dateRange: msg({ message: "{startDate} to {endDate}" }),
  },
  "@react-aria/dnd": {
    dragDescriptionKeyboard: msg`Press Enter to start dragging.`,
    dragDescriptionTouch: msg`Double tap to start dragging.`,
    dragDescriptionVirtual: msg`Click to start dragging.`,
    dragStartedKeyboard: msg`Started dragging. Press Tab to navigate to a drop target, then press Enter to drop, or press Escape to cancel.`,
    dragStartedTouch: msg`Started dragging. Navigate to a drop target, then double tap to drop.`,
    dragStartedVirtual: msg`Started dragging. Navigate to a drop target, then click or press Enter to drop.`,
    endDragKeyboard: msg`Dragging. Press Enter to cancel drag.`,
    endDragTouch: msg`Dragging. Double tap to cancel drag.`,
    endDragVirtual: msg`Dragging. Click to cancel drag.`,
    dropDescriptionKeyboard: msg`Press Enter to drop. Press Escape to cancel drag.`,
    dropDescriptionTouch: msg`Double tap to drop.`,
    dropDescriptionVirtual: msg`Click to drop.`,
    dropCanceled: msg`Drop canceled.`,
    dropComplete: msg`Drop complete.`,
  },
  "@react-aria/overlays": { dismiss: msg`Dismiss` },
  "@react-aria/searchfield": { "Clear search": msg`Clear search` },
};

type Values = Record<string, string | number>;

const mapValues = <From, To>(object: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/**
 * Supplies react-aria with our translations where its `LocalizedStringProvider` would put its own. react-aria's texts lack Uzbek and
 * Indonesian and are left out of the build.
 */
export function supplyAriaTexts(): void {
  const strings = mapValues(TEXTS, (texts) =>
    mapValues(
      texts,
      (text) =>
        (values: Values = {}) =>
          i18n._({ ...text, values }),
    ),
  );
  // react-aria uses the strings of this locale for every locale.
  Object.assign(window, {
    [Symbol.for("react-aria.i18n.locale")]: "en-US",
    [Symbol.for("react-aria.i18n.strings")]: strings,
  });
}
