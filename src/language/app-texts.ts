import { i18n } from "@lingui/core";
import { messages } from "../../locales/en/app.po";

// Part of the shell's code, so that the texts are there before the shell is shown.
i18n.load("en", messages);
