import { createHash } from 'node:crypto';
import { shellPaths, type WebBuild, type WebFile } from '#libs/contracts';
import type { Asset } from './assets.js';

export interface EncodedBuild {
  version: string;
  /** The `WebBuild` as JSON. */
  json: Buffer;
}

/** Takes the place of each parameter in the pattern of a shell. It is a UUID, because `aboutEditShell` accepts no other id. */
const placeholder = '00000000-0000-4000-8000-000000000000';

/** Rejects if a shell cannot be rendered. */
export async function encodeBuild(
  assets: ReadonlyMap<string, Asset>,
  render: (path: string) => Promise<{ html: string }>,
): Promise<EncodedBuild> {
  const content: Omit<WebBuild, 'version'> = { files: {}, shells: {} };
  // Sorted, so that every replica computes the same version.
  for (const address of [...assets.keys()].sort()) content.files[address] = fileOf(assets.get(address)!);
  for (const pattern of shellPaths) {
    const { html } = await render(pattern.replaceAll(/:\w+/g, placeholder));
    content.shells[pattern] = html;
  }
  const version = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
  const build: WebBuild = { version, ...content };
  return { version, json: Buffer.from(JSON.stringify(build)) };
}

function fileOf({ contentType, cacheControl, bodies: { identity, br, gzip } }: Asset): WebFile {
  const encoded = br && gzip && { br: br.toString('base64'), gzip: gzip.toString('base64') };
  return { contentType, cacheControl, body: identity.toString('base64'), ...(encoded && { encoded }) };
}
