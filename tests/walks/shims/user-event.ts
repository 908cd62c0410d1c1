import * as hand from "../hand.ts";

const user = {
  click: hand.click,
  selectOptions: hand.fill,
  upload: (input: Element, file: File) => hand.choose(input, [file]),
  clear: (field: Element) => hand.fill(field, ""),
  type: hand.fill,
};

export default { ...user, setup: () => user };
