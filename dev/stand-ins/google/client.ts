import type { GoogleIdentity, GoogleMisbehaviour } from './model.js';
import type { RunningGoogleStandIn, GoogleStandInOptions } from './server.js';

const deadlineMs = 10_000;

export class GoogleStandIn {
  private constructor(
    readonly url: string,
    private readonly running?: RunningGoogleStandIn,
  ) {}

  /** A client of the stand-in that already runs at `url`. */
  static at(url: string): GoogleStandIn {
    return new GoogleStandIn(url);
  }

  /** Starts a stand-in for one spec. Stop it in `afterAll`. */
  static async start(options: GoogleStandInOptions): Promise<GoogleStandIn> {
    // Imported only here, because clients of a running stand-in do not need the server's code.
    const { openGoogleStandIn } = await import('./server.js');
    const running = await openGoogleStandIn(options);
    return new GoogleStandIn(running.url, running);
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /**
   * Opens `authorizationUrl` like a browser, and chooses this account or cancels. Returns the address at the site to which Google redirects, with a
   * code or an error.
   */
  async choose(authorizationUrl: string, identity: GoogleIdentity | 'cancel'): Promise<URL> {
    const browser = new Browser();
    const opened = await browser.follow(authorizationUrl, this.url);
    // If no page to choose an account has opened, Google has redirected to the site with an error.
    if (!opened.pathname.startsWith('/choose/')) return opened;
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
    return browser.follow(opened.href, this.url, form);
  }

  async misbehave(subject: string, how: GoogleMisbehaviour): Promise<void> {
    await this.control('POST', 'misbehaviour', { subject, how });
  }

  async behave(subject: string): Promise<void> {
    await this.control('DELETE', 'misbehaviour', { subject });
  }

  /** If `down`, the stand-in cuts the connection of each new request that is not for its control API. This affects everybody who uses it. */
  async setOutage(down: boolean): Promise<void> {
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

/** Has cookies, and follows redirects within one origin. */
class Browser {
  private readonly cookies = new Map<string, string>();

  /** Ends at a page of `origin`, or at the first address of another origin, which is not requested. */
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
