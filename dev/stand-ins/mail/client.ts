import type { CaughtMail, MailFilter, MailMisbehaviour, ParsedMail, Reply } from './model.js';
import type { ReplySite } from './replies.js';
import type { CatcherOptions, RunningCatcher } from './server.js';

const deadlineMs = 30_000;

/** Controls the mail catcher over HTTP; the README has an example. */
export class MailCatcher {
  private constructor(
    /** Of the page and the control API: `http://127.0.0.1:<port>`. */
    readonly url: string,
    private readonly running?: RunningCatcher,
  ) {}

  static async start(options: Pick<CatcherOptions, 'smtpPort' | 'replySite'> = {}): Promise<MailCatcher> {
    // Loaded only here, because a client of a running catcher (`at`) needs no server.
    const { openCatcher } = await import('./server.js');
    const running = await openCatcher(options);
    return new MailCatcher(running.url, running);
  }

  /** `stack.json` has the address of a running catcher. */
  static at(url: string): MailCatcher {
    return new MailCatcher(url.replace(/\/$/, ''));
  }

  /** For `SMTP_URL`. Throws unless the catcher was started here. */
  get smtpUrl(): string {
    if (!this.running) throw new Error('This catcher runs elsewhere');
    return this.running.smtpUrl;
  }

  /** Does nothing for a catcher that runs elsewhere. */
  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /** Newest first. */
  async list(filter: MailFilter = {}): Promise<CaughtMail[]> {
    return (await this.call('GET', `/control/mails?${new URLSearchParams({ ...filter })}`)) as CaughtMail[];
  }

  async read(id: string): Promise<ParsedMail> {
    return (await this.call('GET', `/control/mails/${id}`)) as ParsedMail;
  }

  /** Rejects if no mail matches; use it with `eventually`. */
  async newest(filter: MailFilter): Promise<ParsedMail> {
    const [mail] = await this.list(filter);
    if (!mail) throw new Error(`No mail yet for ${JSON.stringify(filter)}`);
    return this.read(mail.id);
  }

  async clear(): Promise<void> {
    await this.call('DELETE', '/control/mails');
  }

  /**
   * Adds a rule. Of each kind (delays, dropped connections, and refusals of the same SMTP command), only the newest rule that matches applies.
   */
  async misbehave(rule: MailMisbehaviour): Promise<void> {
    await this.call('POST', '/control/misbehaviour', rule);
  }

  /** Removes all rules, and sends delayed answers now. */
  async behave(): Promise<void> {
    await this.call('DELETE', '/control/misbehaviour');
  }

  /**
   * Answers a caught mail as its recipient does, and hands the reply to `site`; by default, to the site that the catcher was started with. Resolves
   * with the status of the site’s answer; 404 if nothing was handed over.
   */
  async reply(id: string, reply: Reply, site?: ReplySite): Promise<number> {
    const body = { ...reply, ...(site && { site }) };
    const { status } = (await this.call('POST', `/control/mails/${id}/reply`, body)) as { status: number };
    return status;
  }

  /**
   * Signs a raw message and hands it to `site`; by default, to the site that the catcher was started with. Resolves with the status of the site’s
   * answer; 404 if there is no site.
   */
  async handOver(raw: Buffer, site?: ReplySite): Promise<number> {
    const body = { raw: raw.toString('base64'), ...(site && { site }) };
    const { status } = (await this.call('POST', '/control/hand-over', body)) as { status: number };
    return status;
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
