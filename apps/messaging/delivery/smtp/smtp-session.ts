import { Readable } from 'node:stream';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { toSingleLine } from '#libs/contracts';
import type { RefusedStep } from '../refusal.js';

export interface SmtpServer {
  connectionOptions: SMTPConnectionOptions;
  auth?: { user: string; pass: string };
}

export type Delivery =
  | { accepted: true; answer: string }
  /**
   * `refused` is final. It comes from the server, or from nodemailer, which checks addresses and size. After `later`, the mail may be tried again.
   * `step` is what the server refused. Without a refusal by the server, it means nothing.
   */
  | { accepted: false; verdict: 'refused' | 'later'; answer: string; step: RefusedStep };

export interface OutgoingMail {
  from: string;
  to: string;
  /** The whole message, headers first. */
  message: Buffer;
}

const longestAnswer = 500;
/** How long the server may take to answer QUIT. */
const quitMs = 5_000;

/** Reads `smtp://user:password@host:587`. A password is only sent over TLS, except to this machine. */
export function parseSmtpUrl(smtpUrl: string, timeoutMs: number): SmtpServer {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(host);
  const user = decodeURIComponent(url.username);
  return {
    connectionOptions: {
      host,
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      requireTLS: user !== '' && !isLocal,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      // The longest possible, because `beforeMessage` may take any time. `send` has its own deadlines.
      socketTimeout: 2 ** 31 - 1,
      dnsTimeout: timeoutMs,
      // Closing destroys the socket immediately, even if the server does not close its end.
      socketCloseTimeout: 0,
    },
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
  };
}

/** For one mail at a time. */
export class SmtpSession {
  private ended = false;
  mailsSent = 0;

  private constructor(private readonly connection: SMTPConnection) {
    // An error while a mail is being sent also rejects `send`.
    connection.on('error', () => (this.ended = true));
    connection.on('end', () => (this.ended = true));
  }

  /** Throws Unreachable. */
  static async open({ connectionOptions, auth }: SmtpServer, timeoutMs: number): Promise<SmtpSession> {
    const connection = new SMTPConnection(connectionOptions);
    const session = new SmtpSession(connection);
    const deadline = new Deadline(timeoutMs);
    try {
      await new Promise<void>((resolve, reject) => {
        deadline.onPassed = reject;
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
      throw new Unreachable(answerIn(error));
    } finally {
      deadline.stop();
    }
  }

  get usable(): boolean {
    return !this.ended && !this.connection.destroyed;
  }

  /**
   * Awaits `beforeMessage` when the server has accepted everything but the message; until then, the mail has certainly not been sent. If
   * `beforeMessage` rejects, the connection is closed without sending the message, and this call rejects with the same reason. The server
   * has `timeoutMs` before `beforeMessage`, and again after it. `beforeMessage` itself may take any time.
   */
  async send(
    { from, to, message }: OutgoingMail,
    beforeMessage: () => Promise<void>,
    timeoutMs: number,
  ): Promise<Delivery> {
    const deadline = new Deadline(timeoutMs);
    let rejection: { reason: unknown } | undefined;
    const body = Readable.from(
      (async function* () {
        try {
          deadline.stop();
          await beforeMessage();
          deadline.start();
        } catch (reason) {
          rejection = { reason };
          // Not the reason itself: nodemailer changes the error that it gets.
          throw new Error('The message is not sent', { cause: reason });
        }
        yield message;
      })(),
      { objectMode: false },
    );
    try {
      const sent = new Promise<{ response: string }>((resolve, reject) => {
        deadline.onPassed = reject;
        this.connection.send({ from, to: [to], size: message.length }, body, (error, info) =>
          error ? reject(error) : resolve(info!),
        );
      });
      deadline.start();
      const { response } = await sent;
      this.mailsSent += 1;
      return { accepted: true, answer: toSingleLine(response, longestAnswer) };
    } catch (error) {
      this.close();
      if (rejection) throw rejection.reason;
      return { accepted: false, ...verdictOn(error) };
    } finally {
      deadline.stop();
    }
  }

  quit(): void {
    this.ended = true;
    this.connection.quit();
    // The server may not answer.
    setTimeout(() => this.connection.close(), quitMs).unref();
  }

  close(): void {
    this.ended = true;
    this.connection.close();
  }
}

/** The mail server cannot be reached, or refuses the sign-in. The cause is not the mail. */
export class Unreachable extends Error {}

class DeadlinePassed extends Error {
  readonly code = 'ETIMEDOUT';
}

function verdictOn(error: unknown): {
  verdict: 'refused' | 'later';
  answer: string;
  step: RefusedStep;
} {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  const step = command === 'MAIL FROM' ? 'sender' : command === 'RCPT TO' ? 'recipient' : 'message';
  const answer = answerIn(error);
  // Other errors are about the connection.
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutMail && (responseCode === undefined || responseCode >= 500))
    return { verdict: 'refused', answer, step };
  return { verdict: 'later', answer, step };
}

function answerIn(error: unknown): string {
  const { response, message } = error as { response?: string; message?: string };
  return toSingleLine(response || message || String(error), longestAnswer);
}

/** Each `start` gives the server the whole time again. */
class Deadline {
  private timer: NodeJS.Timeout | undefined;
  onPassed: (error: Error) => void = () => undefined;

  constructor(private readonly ms: number) {}

  start(): void {
    this.stop();
    this.timer = setTimeout(
      () => this.onPassed(new DeadlinePassed(`no answer within ${this.ms} ms`)),
      this.ms,
    );
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
