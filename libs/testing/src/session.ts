import { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';

const chunkBytes = 65_536;

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  text: string;
  json: T;
}

export interface RequestOptions {
  /** Sent as JSON. Text is sent unchanged, but also declared as JSON; bytes are sent unchanged and without a Content-Type. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Uses the API as a script would: JSON, a Bearer token once signed in, no cookies. */
export class Session {
  private constructor(
    readonly url: string,
    private readonly token?: string,
    readonly email?: string,
  ) {}

  static visitor(url: string): Session {
    return new Session(url);
  }

  /** The account must exist. */
  static async signIn(url: string, credentials: { email: string; password: string }): Promise<Session> {
    return Session.authenticate(url, '/auth/login', 200, credentials);
  }

  static async register(url: string, credentials: { email: string; password: string }): Promise<Session> {
    return Session.authenticate(url, '/auth/register', 201, credentials);
  }

  /** The same person at another gateway. */
  at(url: string): Session {
    return new Session(url, this.token, this.email);
  }

  get bearer(): string {
    if (this.token === undefined) throw new Error('A visitor has no token');
    return this.token;
  }

  get<T>(path: string, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('GET', path, options);
  }

  post<T>(path: string, body: unknown, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('POST', path, { body, ...options });
  }

  put<T>(path: string, body: unknown, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('PUT', path, { body, ...options });
  }

  delete<T>(path: string, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('DELETE', path, options);
  }

  async send<T>(
    method: string,
    path: string,
    { body, headers = {} }: RequestOptions = {},
  ): Promise<Answer<T>> {
    // Takes a third of the CPU time of `fetch`.
    const response = await request(`${this.url}${path}`, {
      method: method as Dispatcher.HttpMethod,
      headers: {
        Accept: 'application/json',
        'User-Agent': 'test',
        ...(body instanceof Uint8Array && { 'Content-Length': String(body.length) }),
        ...(body === undefined || body instanceof Uint8Array ? {} : { 'Content-Type': 'application/json' }),
        ...(this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      body: body instanceof Uint8Array ? Readable.from(chunksOf(body)) : textOf(body),
    });
    const text = await response.body.text();
    const responseHeaders = new Headers(
      Object.entries(response.headers).flatMap(([name, values = []]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      ),
    );
    const isJson = /\bjson\b/.test(responseHeaders.get('content-type') ?? '');
    return {
      status: response.statusCode,
      headers: responseHeaders,
      text,
      json: (isJson && text !== '' ? JSON.parse(text) : undefined) as T,
    };
  }

  private static async authenticate(
    url: string,
    path: string,
    expectedStatus: number,
    credentials: { email: string; password: string },
  ): Promise<Session> {
    const answer = await new Session(url).post<{ accessToken: string }>(path, credentials);
    if (answer.status !== expectedStatus)
      throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return new Session(url, answer.json.accessToken, credentials.email);
  }
}

const textOf = (body: unknown) =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body);

/** The body is sent in chunks, so that an early answer is read even if the server then closes the connection. */
function* chunksOf(body: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < body.length; from += chunkBytes) yield body.subarray(from, from + chunkBytes);
}
