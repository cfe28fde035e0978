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

  /** Returns a client that makes calls as the person who was registered or signed in. */
  async authenticate(
    path: '/auth/register' | '/auth/login',
    credentials: { email: string; password: string },
  ): Promise<SiteClient> {
    const { accessToken } = await this.call<{ accessToken: string }>('POST', path, credentials);
    return new SiteClient(this.url, this.signal, accessToken);
  }

  /** Rejects unless the call succeeds. A string as body is CSV. `version` is that of the record that the call changes. */
  async call<T>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object | string,
    { version }: { version?: number } = {},
  ): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      signal: this.signal,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && {
          'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
        }),
        ...(version !== undefined && { 'if-match': `"${version}"` }),
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Uploads as staff, with the tus protocol. Returns the file's id. */
  async upload(projectId: string, { name, text }: { name: string; text: string }): Promise<string> {
    const metadata = { project: projectId, side: 'staff', name };
    const encoded = Object.entries(metadata).map(
      ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
    );
    const send = async (
      method: 'POST' | 'PATCH',
      path: string,
      headers: Record<string, string>,
      body?: Buffer,
    ) => {
      const response = await fetch(new URL(path, this.url), {
        ...{ method, signal: this.signal },
        headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${this.token}`, ...headers },
        ...(body && { body: new Uint8Array(body) }),
      });
      if (!response.ok)
        throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      return response;
    };
    const bytes = Buffer.from(text);
    const begun = await send('POST', '/project-uploads', {
      'upload-length': String(bytes.length),
      'upload-metadata': encoded.join(','),
    });
    const address = begun.headers.get('location')!;
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    await send('PATCH', address, headers, bytes);
    return new URL(address, this.url).pathname.split('/').at(-1)!;
  }
}
