import { msg } from "@lingui/core/runtime-macro";

const ABOUT_NAME = "An example of a stage's name.";
const ABOUT_KEYWORDS =
  "What such a lead writes, not a translation: keywords between commas. One without quotes also matches inside of longer words.";

/** Stages to start from, each with keywords that move a lead there. */
export const EXAMPLE_STAGES = [
  {
    name: msg({ message: "Interested", comment: ABOUT_NAME }),
    keywords: msg({ message: 'price, cost, "how much"', comment: ABOUT_KEYWORDS }),
    color: "#2563eb",
  },
  {
    name: msg({ message: "Ready to buy", comment: ABOUT_NAME }),
    keywords: msg({ message: 'buy, invoice, "how do i pay"', comment: ABOUT_KEYWORDS }),
    color: "#d97706",
  },
  {
    name: msg({ message: "Customer", comment: ABOUT_NAME }),
    keywords: msg({ message: 'paid, "payment sent"', comment: ABOUT_KEYWORDS }),
    color: "#16a34a",
  },
] as const;
