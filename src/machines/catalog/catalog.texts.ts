import { msg, plural, select } from "@lingui/core/runtime-macro";
import type { UiText } from "../../../domain/ui-text.ts";
import type { FailureText } from "../kit/writing.ts";

/** Builds a text about an item, by its kind: `tag`, `field` or `view`. */
type Named = (thing: string) => UiText;

export const saveFailed = (thing: string): FailureText => ({
  refused: msg`${select({ thing }, { tag: "The tag was not saved. Try again.", field: "The field was not saved. Try again.", other: "The view was not saved. Try again." })}`,
  unknown: msg`${select({ thing }, { tag: "The tag may have been saved. Try again: it is not saved twice.", field: "The field may have been saved. Try again: it is not saved twice.", other: "The view may have been saved. Try again: it is not saved twice." })}`,
});
export const deleteFailed = (thing: string): FailureText => ({
  refused: msg`${select({ thing }, { tag: "The tag was not deleted. Try again.", field: "The field was not deleted. Try again.", other: "The view was not deleted. Try again." })}`,
  unknown: msg`${select({ thing }, { tag: "The tag may have been deleted.", field: "The field may have been deleted.", other: "The view may have been deleted." })}`,
});
export const restoreFailed = (thing: string): FailureText => ({
  refused: msg`${select({ thing }, { tag: "The tag could not be brought back.", field: "The field could not be brought back.", other: "The view could not be brought back." })}`,
  unknown: msg`${select({ thing }, { tag: "The tag may be back: look at the list.", field: "The field may be back: look at the list.", other: "The view may be back: look at the list." })}`,
});

export const restoredMessage: Named = (thing) =>
  msg`${select({ thing }, { tag: "The tag is back.", field: "The field is back.", other: "The view is back." })}`;
export const deletedMessage = (thing: string, name: string): UiText =>
  msg`${select({ thing }, { tag: msg`The tag ''${{ name }}'' was deleted.`, field: msg`The field ''${{ name }}'' was deleted.`, other: msg`The view ''${{ name }}'' was deleted.` })}`;
export const namelessMessage: Named = (thing) =>
  msg`${select({ thing }, { tag: "Give the tag a name.", field: "Give the field a name.", other: "Give the view a name." })}`;

/** Asks before an item in use is deleted: a tag, or a field with values. */
export const deletionQuestion = (thing: string, name: string, count: number): UiText =>
  thing === "field"
    ? msg`Delete the field ''${{ name }}''?\n\nThe value that ${plural({ count }, { one: "# lead has", other: "# leads have" })} in it goes. You can undo it for 30 seconds.`
    : msg`Delete the tag ''${{ name }}''?\n\n${plural({ count }, { one: "# lead carries", other: "# leads carry" })} it. It goes from all of them. You can undo it for 30 seconds.`;

export const LABELS = {
  list: (thing) => msg`${select({ thing }, { tag: "Tags", field: "Fields", other: "Views" })}`,
  what: (thing) =>
    msg({
      message: msg`${select({ thing }, { tag: "the tags", field: "the fields", other: "the views" })}`,
      comment: "Precedes 'could not be read'.",
    }),
  add: (thing) => msg`${select({ thing }, { tag: "Add Tag", field: "Add Field", other: "Add View" })}`,
  edit: (thing) => msg`${select({ thing }, { tag: "Edit Tag", field: "Edit Field", other: "Edit View" })}`,
  save: (thing) => msg`${select({ thing }, { tag: "Save Tag", field: "Save Field", other: "Save View" })}`,
} satisfies Record<string, Named>;
