import { i18n } from "@lingui/core";
import { messages } from "../../locales/en/app.po";

// Comes with the shell's code: whatever is shown inside it has its texts by then.
i18n.load("en", messages);
