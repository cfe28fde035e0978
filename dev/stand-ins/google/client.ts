import type { GoogleIdentity, GoogleMisbehaviour } from './model.js';
import type { RunningStandIn, StandInOptions } from './server.js';

const deadlineMs = 10_000;

/** The client of the stand-in for Google (dev/stand-ins/google): people who choose an account, and a provider that misbehaves. */
export class GoogleStandIn {
  private constructor(
    readonly url: string,
    private readonly running?: RunningStandIn,
  ) {}

  /** One that runs already: `testStack().google!.url`. */
  static at(url: string): GoogleStandIn {
    return new GoogleStandIn(url);
  }

  /** One of the spec's own. Stop it in `afterAll`. */
  static async start(options: StandInOptions): Promise<GoogleStandIn> {
    // Loaded only here: whoever asks a running one needs no server.
    const { openStandIn } = await import('./server.js');
    const running = await openStandIn(options);
    return new GoogleStandIn(running.url, running);
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /**
   * What a browser does that was sent to `authorizationUrl`, and whose owner chooses this account: gives the address at the site to
   * which Google leads back, with the code in it. 'cancel' is somebody who changes their mind.
   */
  async choose(authorizationUrl: string, identity: GoogleIdentity | 'cancel'): Promise<URL> {
    const browser = new Browser();
    const chooser = await browser.follow(authorizationUrl, this.url);
    if (!chooser.pathname.startsWith('/choose/')) return chooser;
    const form = new URLSearchParams(
      identity === 'cancel'
        ? { cancel: 'yes' }
        : {
            email: identity.email,
            ...(identity.name !== undefined && { name: identity.name }),
            ...(identity.subject !== undefined && { subject: identity.subject }),
            ...(identity.emailVerified !== false && { verified: 'yes' }),
          },
    );
    return browser.follow(chooser.href, this.url, form);
  }

  /** From now on, ID tokens of this subject go wrong like this. */
  async misbehave(subject: string, how: GoogleMisbehaviour): Promise<void> {
    await this.control('POST', 'misbehaviour', { subject, how });
  }

  async behave(subject: string): Promise<void> {
    await this.control('DELETE', 'misbehaviour', { subject });
  }

  /** Cuts every connection, or answers again. Everybody's who uses this stand-in. */
  async outage(down: boolean): Promise<void> {
    await this.control('POST', 'outage', { down });
  }

  private async control(method: string, path: string, body: object): Promise<void> {
    const response = await fetch(`${this.url}/control/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(deadlineMs),
    });
    if (!response.ok) throw new Error(`The stand-in answered ${response.status}: ${await response.text()}`);
  }
}

/** Cookies, and redirects as long as they stay at one host. */
class Browser {
  private readonly cookies = new Map<string, string>();

  /** Where it comes to rest: a page of `origin`, or the first address elsewhere, which is not asked. */
  async follow(address: string, origin: string, form?: URLSearchParams): Promise<URL> {
    let url = new URL(address);
    let body = form;
    for (let hops = 0; url.origin === origin && hops < 10; hops += 1) {
      const response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: {
          accept: 'text/html',
          cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        ...(body && { body }),
        signal: AbortSignal.timeout(deadlineMs),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        this.cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (response.status >= 400) throw new Error(`${url.href}: ${response.status} ${await response.text()}`);
      await response.body?.cancel();
      if (location === null) return url;
      url = new URL(location, url);
      body = undefined;
    }
    return url;
  }
}
