/** Calls the API of a running site as one person, or as a visitor. */
export class SiteClient {
  private constructor(
    private readonly url: string,
    private readonly signal: AbortSignal,
    private readonly token?: string,
  ) {}

  static visitor(url: string, signal: AbortSignal): SiteClient {
    return new SiteClient(url, signal);
  }

  /** Registers a person, or signs them in. Returns a client that acts for them. */
  async authenticate(
    path: '/auth/register' | '/auth/login',
    credentials: { email: string; password: string },
  ): Promise<SiteClient> {
    const { accessToken } = await this.call<{ accessToken: string }>('POST', path, credentials);
    return new SiteClient(this.url, this.signal, accessToken);
  }

  /** Rejects unless the call succeeds. */
  async call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object | string): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      signal: this.signal,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && {
          'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
        }),
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}
