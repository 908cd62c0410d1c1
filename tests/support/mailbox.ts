import { SMTPServer } from "smtp-server";

export type Received = { to: string; subject: string; text: string; link: string };

/** A real SMTP server on loopback that keeps the mail it receives. `refuse` makes it reject mail. */
export async function startMailbox() {
  const received: Received[] = [];
  let refusing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refusing) return done(new Error("mailbox unavailable"));
        received.push(readMail(Buffer.concat(chunks).toString("utf8"), session.envelope.rcptTo[0]?.address ?? ""));
        return done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: (on: boolean) => {
      refusing = on;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function readMail(source: string, to: string): Received {
  const [head = "", ...rest] = source.split("\r\n\r\n");
  const text = rest
    .join("\r\n\r\n")
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    to,
    subject: /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? "",
    text,
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? "",
  };
}
