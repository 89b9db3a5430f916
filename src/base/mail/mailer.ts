import { createTransport } from 'nodemailer';
import type { Secret } from '../config/secret.ts';
import { StartupError } from '../errors.ts';

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Resolves once the server accepted the mail; recipients do not see each other's addresses. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const timeoutMs = 15_000;

/**
 * Sends mail through an SMTP server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start.
 * @throws StartupError for an invalid URL.
 */
export function createMailer({ url, from }: { url: Secret; from: string }): Mailer {
  const address = url.reveal();
  if (!URL.canParse(address) || !/^smtps?:$/.test(new URL(address).protocol))
    throw new StartupError('smtp.url (BULWARK_SMTP_URL) must begin with smtp:// or smtps://.');
  const transport = createTransport({
    url: address,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Our mails have no attachments: forbid reading files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      // Recipients are in the envelope only.
      await transport.sendMail({ from, to: [], bcc: [...to], subject: oneLine(subject), text });
    },
    close: () => transport.close(),
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200);
