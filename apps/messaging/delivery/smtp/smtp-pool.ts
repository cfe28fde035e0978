import { type SmtpServer, SmtpSession } from './smtp-session.js';

/** After this many mails we close the session; otherwise the server might, perhaps in the middle of a mail. */
const mailsPerSession = 100;
const idleMs = 5_000;

export class SmtpPool {
  private readonly idle = new Map<SmtpSession, NodeJS.Timeout>();

  constructor(
    private readonly server: SmtpServer,
    private readonly timeoutMs: number,
  ) {}

  async take(): Promise<SmtpSession> {
    for (const [session, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(session);
      if (session.usable) return session;
    }
    return SmtpSession.open(this.server, this.timeoutMs);
  }

  giveBack(session: SmtpSession): void {
    if (!session.usable) return;
    if (session.mailsSent >= mailsPerSession) return session.quit();
    const timer = setTimeout(() => {
      this.idle.delete(session);
      session.quit();
    }, idleMs);
    timer.unref();
    this.idle.set(session, timer);
  }

  close(): void {
    for (const [session, timer] of this.idle) {
      clearTimeout(timer);
      session.quit();
    }
    this.idle.clear();
  }
}
