import type { CaughtFilter, CaughtMail, MailMisbehaviour, OpenedMail } from './model.js';
import type { CatcherOptions, RunningCatcher } from './server.js';

const deadlineMs = 30_000;

/**
 * Where mails arrive in tests: a real SMTP server that can be told to misbehave. Every call goes over HTTP, so that a catcher in this
 * process and the one of `npm start` are the same thing.
 *
 * ```ts
 * const mail = MailCatcher.at(testStack().mail!.url);   // the one of the running stack, or:
 * const mail = await MailCatcher.start();               // one of this test's own, on free ports
 *
 * const { text } = await eventually(() => mail.newest({ to: 'ann@example.com' }));
 * ```
 */
export class MailCatcher {
  private constructor(
    /** The web inbox, `http://127.0.0.1:<port>`. */
    readonly url: string,
    private readonly running?: RunningCatcher,
  ) {}

  static async start(options: Pick<CatcherOptions, 'smtpPort'> = {}): Promise<MailCatcher> {
    // Loaded only here: whoever talks to one that runs needs no server.
    const { openCatcher } = await import('./server.js');
    const running = await openCatcher(options);
    return new MailCatcher(running.url, running);
  }

  /** One that runs already: `stack.json` tells its address. */
  static at(url: string): MailCatcher {
    return new MailCatcher(url.replace(/\/$/, ''));
  }

  /** The value of `SMTP_URL`, of one that was started here. */
  get smtpUrl(): string {
    if (!this.running) throw new Error('This catcher runs elsewhere');
    return this.running.smtpUrl;
  }

  /** Ends one that was started here; one that runs elsewhere is left alone. */
  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /** What was caught, newest first. */
  async list(filter: CaughtFilter = {}): Promise<CaughtMail[]> {
    return (await this.call('GET', `/control/mails?${new URLSearchParams({ ...filter })}`)) as CaughtMail[];
  }

  async open(id: string): Promise<OpenedMail> {
    return (await this.call('GET', `/control/mails/${id}`)) as OpenedMail;
  }

  /** The newest that matches, opened. Throws while there is none: to be used with `eventually`. */
  async newest(filter: CaughtFilter): Promise<OpenedMail> {
    const [mail] = await this.list(filter);
    if (!mail) throw new Error(`No mail yet for ${JSON.stringify(filter)}`);
    return this.open(mail.id);
  }

  async clear(): Promise<void> {
    await this.call('DELETE', '/control/mails');
  }

  /** From now on, mails that match go wrong like this. The newest rule of a kind that matches counts alone. */
  async misbehave(rule: MailMisbehaviour): Promise<void> {
    await this.call('POST', '/control/misbehaviour', rule);
  }

  /** Forgets every misbehaviour. */
  async behave(): Promise<void> {
    await this.call('DELETE', '/control/misbehaviour');
  }

  private async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const response = await fetch(new URL(path, this.url), {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(deadlineMs),
    });
    const answer = (await response.json()) as { error?: string };
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.error ?? response.status}`);
    return answer;
  }
}
