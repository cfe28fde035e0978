import { Readable } from 'node:stream';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';

/** How the server is reached; from `SMTP_URL`. */
export interface SmtpServer {
  connection: SMTPConnectionOptions;
  auth?: { user: string; pass: string };
}

/** What the server said when it took the mail, or why it did not. */
export type Delivery =
  | { taken: true; answer: string }
  /** `refused`: for good (5xx about this mail); `later`: not now. `ofRecipient`: it may be the address; before that it is the sender. */
  | { taken: false; verdict: 'refused' | 'later'; answer: string; ofRecipient: boolean };

export interface Outgoing {
  from: string;
  to: string;
  /** The whole message, headers first. */
  message: Buffer;
}

/** As much of an answer as is worth keeping; what steers a terminal or ends a line is left out. */
const answerLimit = 500;

/** `smtp://user:password@host:587`; a password is only ever sent over TLS, except to this machine. */
export function smtpServer(smtpUrl: string, timeoutMs: number): SmtpServer {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const isHere = ['localhost', '127.0.0.1', '::1'].includes(host);
  const user = decodeURIComponent(url.username);
  return {
    connection: {
      host,
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      requireTLS: user !== '' && !isHere,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      // Destroyed at once: a server that does not close its end must not keep this one.
      socketCloseTimeout: 0,
    },
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
  };
}

/** One connection to the mail server, for one mail at a time. */
export class SmtpSession {
  private failed = false;
  /** Mails sent through it; servers end connections that live too long. */
  sent = 0;

  private constructor(private readonly connection: SMTPConnection) {
    // What goes wrong within a mail is told to that mail as well.
    connection.on('error', () => (this.failed = true));
    connection.on('end', () => (this.failed = true));
  }

  /** Throws Unreachable when there is no way to the server, or it refuses this sender altogether. */
  static async open({ connection: options, auth }: SmtpServer, timeoutMs: number): Promise<SmtpSession> {
    const connection = new SMTPConnection(options);
    const session = new SmtpSession(connection);
    const deadline = new Deadline(timeoutMs);
    try {
      await new Promise<void>((resolve, reject) => {
        deadline.passed = reject;
        deadline.start();
        connection.once('error', reject);
        connection.connect((error) => {
          if (error) return reject(error);
          if (!auth) return resolve();
          connection.login({ ...auth }, (refusal) => (refusal ? reject(refusal) : resolve()));
        });
      });
      return session;
    } catch (error) {
      session.close();
      throw new Unreachable(describe(error));
    } finally {
      deadline.stop();
    }
  }

  get usable(): boolean {
    return !this.failed && !this.connection.destroyed;
  }

  /**
   * Sends one mail. `mayEnd` is awaited when the server has said yes to everything but the message itself: only what follows can
   * leave in doubt whether the mail was taken. When it rejects, the connection is dropped without the message, and so is this call.
   * The server has `timeoutMs` before that, and again after it.
   */
  async send(
    { from, to, message }: Outgoing,
    mayEnd: () => Promise<void>,
    timeoutMs: number,
  ): Promise<Delivery> {
    const deadline = new Deadline(timeoutMs);
    let heldBack: { reason: unknown } | undefined;
    const body = Readable.from(
      (async function* () {
        try {
          deadline.stop();
          await mayEnd();
          deadline.start();
        } catch (reason) {
          heldBack = { reason };
          throw reason;
        }
        yield message;
      })(),
      { objectMode: false },
    );
    try {
      const sent = new Promise<{ response: string }>((resolve, reject) => {
        deadline.passed = reject;
        this.connection.send({ from, to: [to], size: message.length }, body, (error, info) =>
          error ? reject(error) : resolve(info!),
        );
      });
      deadline.start();
      const { response } = await sent;
      this.sent += 1;
      return { taken: true, answer: readable(response) };
    } catch (error) {
      this.close();
      if (heldBack) throw heldBack.reason;
      return { taken: false, ...verdictOn(error) };
    } finally {
      deadline.stop();
    }
  }

  /** Says goodbye, as far as the server listens. */
  quit(): void {
    this.failed = true;
    this.connection.quit();
  }

  close(): void {
    this.failed = true;
    this.connection.close();
  }
}

/** There is no way to the mail server, or it refuses this sender altogether: no mail's own fault. */
export class Unreachable extends Error {}

class TookTooLong extends Error {
  readonly code = 'ETIMEDOUT';
}

function verdictOn(error: unknown): { verdict: 'refused' | 'later'; answer: string; ofRecipient: boolean } {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  const ofRecipient = command !== 'MAIL FROM';
  const answer = describe(error);
  // What the server says of sender, recipient or message; all else is of the connection.
  const isOfTheMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isOfTheMail && (responseCode === undefined || responseCode >= 500))
    return { verdict: 'refused', answer, ofRecipient };
  return { verdict: 'later', answer, ofRecipient };
}

function describe(error: unknown): string {
  const { response, message } = error as { response?: string; message?: string };
  return readable(response || message || String(error));
}

function readable(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, answerLimit);
}

/** A time that runs, stands still, and runs anew. */
class Deadline {
  private timer: NodeJS.Timeout | undefined;
  passed: (error: Error) => void = () => undefined;

  constructor(private readonly ms: number) {}

  start(): void {
    this.stop();
    this.timer = setTimeout(() => this.passed(new TookTooLong(`no answer within ${this.ms} ms`)), this.ms);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
