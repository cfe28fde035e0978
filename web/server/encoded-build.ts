import { createHash } from 'node:crypto';
import { shells, type WebBuild, type WebFile } from '#libs/contracts';
import type { Asset } from './assets.js';

export interface ReadyBuild {
  version: string;
  /** The `WebBuild` as JSON. */
  json: Buffer;
}

/** A placeholder id for the addresses of shells, which are the same for all records. */
const anyId = '00000000-0000-4000-8000-000000000000';

/** The client build for the gateways, created once. */
export class EncodedBuild {
  private making: Promise<ReadyBuild> | undefined;

  constructor(
    private readonly assets: ReadonlyMap<string, Asset>,
    private readonly render: (path: string) => Promise<{ html: string }>,
  ) {}

  /** Rejects if a shell cannot be rendered; the next call tries again. */
  ready(): Promise<ReadyBuild> {
    this.making ??= this.make().catch((error: unknown) => {
      this.making = undefined;
      throw error;
    });
    return this.making;
  }

  private async make(): Promise<ReadyBuild> {
    const content: Omit<WebBuild, 'version'> = { files: {}, shells: {} };
    // Sorted, so that every replica computes the same version.
    for (const address of [...this.assets.keys()].sort())
      content.files[address] = fileOf(this.assets.get(address)!);
    for (const pattern of shells) {
      const { html } = await this.render(pattern.replaceAll(/:\w+/g, anyId));
      content.shells[pattern] = html;
    }
    const version = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
    const build: WebBuild = { version, ...content };
    return { version, json: Buffer.from(JSON.stringify(build)) };
  }
}

function fileOf({ contentType, cacheControl, bodies: { identity, br, gzip } }: Asset): WebFile {
  const encoded = br && gzip && { br: br.toString('base64'), gzip: gzip.toString('base64') };
  return { contentType, cacheControl, body: identity.toString('base64'), ...(encoded && { encoded }) };
}
