import { createTransport } from "nodemailer";

export type Mail = { to: string; subject: string; text: string };
export type Mailer = {
  /** @throws when the mail server refuses or does not answer within 10 s */
  send(mail: Mail): Promise<void>;
  close(): void;
};

const TIMEOUT_MS = 10_000;

/** Sends plain text by SMTP. The address's user, password and TLS are part of the URL. */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(
    { url: smtpUrl, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    { from },
  );
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ to, subject, text, headers: { "Auto-Submitted": "auto-generated" } });
    },
    close: () => transport.close(),
  };
}

const sign = "\n\nIf you did not ask for this, you can ignore this message.\n\nLeadloom\n";

export const confirmationMail = (to: string, link: string): Mail => ({
  to,
  subject: "Confirm your e-mail for Leadloom",
  text: `Welcome to Leadloom.\n\nOpen this link to confirm your e-mail address and sign in. It works once, for 24 hours:\n\n${link}${sign}`,
});

export const alreadyRegisteredMail = (to: string, publicUrl: string): Mail => ({
  to,
  subject: "You already have a Leadloom account",
  text: `Somebody, probably you, signed up for Leadloom with this address. There is an account with it already, and nothing was changed.\n\nSign in here:\n\n${publicUrl}/login${sign}`,
});

export const recoveryMail = (to: string, link: string): Mail => ({
  to,
  subject: "Choose a new Leadloom password",
  text: `Open this link to choose a new password. It works once, for one hour:\n\n${link}\n\nYour old password stays valid until then.${sign}`,
});

export const emailChangeMail = (to: string, link: string): Mail => ({
  to,
  subject: "Confirm your new e-mail for Leadloom",
  text: `Open this link to use this address for your Leadloom account from now on. It works once, for 24 hours:\n\n${link}${sign}`,
});
