import { createHash } from 'node:crypto';
import { shells, type WebBuild, type WebFile } from '#libs/contracts';
import type { Asset } from './assets.js';

export interface ReadyBuild {
  version: string;
  /** The `WebBuild` as JSON. */
  json: Buffer;
}

/** Takes the place of each parameter in the pattern of a shell. The shell is the same for all values of its parameters. */
const placeholder = '00000000-0000-4000-8000-000000000000';

/** The client build for the gateways, created once. */
export class EncodedBuild {
  private build: Promise<ReadyBuild> | undefined;

  constructor(
    private readonly assets: ReadonlyMap<string, Asset>,
    private readonly render: (path: string) => Promise<{ html: string }>,
  ) {}

  /** Rejects if a shell cannot be rendered; the next call tries again. */
  ready(): Promise<ReadyBuild> {
    this.build ??= this.encode().catch((error: unknown) => {
      this.build = undefined;
      throw error;
    });
    return this.build;
  }

  private async encode(): Promise<ReadyBuild> {
    const content: Omit<WebBuild, 'version'> = { files: {}, shells: {} };
    // Sorted, so that every replica computes the same version.
    for (const address of [...this.assets.keys()].sort())
      content.files[address] = fileOf(this.assets.get(address)!);
    for (const pattern of shells) {
      const { html } = await this.render(pattern.replaceAll(/:\w+/g, placeholder));
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
