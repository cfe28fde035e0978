/** The configured public address, or else `http://localhost` with the server's port. */
export class SiteAddress {
  private known: URL | undefined;

  constructor(publicUrl: string | undefined) {
    this.known = publicUrl === undefined ? undefined : new URL(publicUrl);
  }

  setPort(port: number): void {
    this.known ??= new URL(`http://localhost:${port}`);
  }

  /** Without a trailing slash. */
  get url(): string {
    return this.address.href.replace(/\/$/, '');
  }

  get origin(): string {
    return this.address.origin;
  }

  /** Also works before the server listens: the default address uses HTTP. */
  get isSecure(): boolean {
    return this.known?.protocol === 'https:';
  }

  private get address(): URL {
    if (!this.known) throw new Error('The site has no address before it listens');
    return this.known;
  }
}
