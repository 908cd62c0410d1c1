import { msg } from "@lingui/core/runtime-macro";
import { createTransport } from "nodemailer";
import type { Locale } from "../../domain/locales.ts";
import type { UiText, UiTextOrString } from "../../domain/ui-text.ts";
import type { Languages } from "../core/languages.ts";

/** An e-mail before translation. Each link is its own paragraph. */
export type Mail = { subject: UiText; paragraphs: readonly UiTextOrString[] };
export type Mailer = {
  /** @throws when the mail server refuses or does not respond within 10 s */
  send(to: string, mail: Mail, locale: Locale): Promise<void>;
  close(): void;
};

const TIMEOUT_MS = 10_000;

/** Creates a mailer that sends plain text by SMTP. The URL contains user, password and TLS. */
export function createMailer(smtpUrl: string, from: string, languages: Languages): Mailer {
  const transport = createTransport(
    { url: smtpUrl, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    { from },
  );
  return {
    async send(to, { subject, paragraphs }, locale) {
      const write = (text: UiTextOrString) => languages.write(text, locale);
      await transport.sendMail({
        to,
        subject: write(subject),
        text: `${[...paragraphs, NOT_ASKED_FOR, "Leadloom"].map(write).join("\n\n")}\n`,
        headers: { "Auto-Submitted": "auto-generated", "Content-Language": locale },
      });
    },
    close: () => transport.close(),
  };
}

const NOT_ASKED_FOR = msg`If you did not ask for this, you can ignore this message.`;

export const confirmationMail = (link: string): Mail => ({
  subject: msg`Confirm your e-mail for Leadloom`,
  paragraphs: [
    msg`Welcome to Leadloom.`,
    msg`Open this link to confirm your e-mail address and sign in. It works once, for 24 hours:`,
    link,
  ],
});

export const alreadyRegisteredMail = (publicUrl: string): Mail => ({
  subject: msg`You already have a Leadloom account`,
  paragraphs: [
    msg`Somebody, probably you, signed up for Leadloom with this address. There is an account with it already, and nothing was changed.`,
    msg`Sign in here:`,
    `${publicUrl}/login`,
  ],
});

export const recoveryMail = (link: string): Mail => ({
  subject: msg`Choose a new Leadloom password`,
  paragraphs: [
    msg`Open this link to choose a new password. It works once, for one hour:`,
    link,
    msg`Your old password stays valid until then.`,
  ],
});

export const emailChangeMail = (link: string): Mail => ({
  subject: msg`Confirm your new e-mail for Leadloom`,
  paragraphs: [
    msg`Open this link to use this address for your Leadloom account from now on. It works once, for 24 hours:`,
    link,
  ],
});
