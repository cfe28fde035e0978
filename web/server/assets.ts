import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface Asset {
  contentType: string;
  cacheControl: string;
  etag: string;
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Names of files below /assets/ contain a hash of the content. All others keep their name when they change. */
const immutable = 'public, max-age=31536000, immutable';
const revalidated = 'public, max-age=3600, stale-while-revalidate=86400';

const encodingByExtension: Record<string, Encoding> = { '.br': 'br', '.gz': 'gzip' };

/**
 * Every file of the client build by address, in memory (some two megabytes). Files and folders directly in `folder` whose name begins with a dot,
 * such as `.vite` with the manifest, are left out. No request path ever reaches the file system.
 */
export async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const assets = new Map<string, Asset>();
  const variants: { address: string; encoding: Encoding; body: Buffer }[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).split(sep).join('/')}`;
    if (!entry.isFile() || address.startsWith('/.')) continue;
    const body = await readFile(path);
    const extension = extname(path);
    const encoding = encodingByExtension[extension];
    if (encoding) variants.push({ address: address.slice(0, -extension.length), encoding, body });
    else assets.set(address, createAsset(address, body));
  }
  for (const { address, encoding, body } of variants) {
    const original = assets.get(address);
    if (original) original.bodies[encoding] = body;
  }
  return assets;
}

function createAsset(address: string, body: Buffer): Asset {
  return {
    contentType: contentTypes[extname(address)] ?? 'application/octet-stream',
    cacheControl: address.startsWith('/assets/') ? immutable : revalidated,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    bodies: { identity: body },
  };
}

/** The best encoding that the client accepts and the asset has. A weight of 0 is a refusal (RFC 9110, 12.5.3). */
export function chooseEncoding(accepted: string | undefined, asset: Asset): Encoding {
  const preferences = new Map(
    (accepted ?? '').split(',').map((part) => {
      // A regular expression for the surrounding blanks would backtrack on a header full of them.
      const [name = '', ...parameters] = part
        .toLowerCase()
        .split(';')
        .map((word) => word.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined || Number(weight.slice(2)) > 0];
    }),
  );
  const accepts = (encoding: Encoding) => preferences.get(encoding) ?? preferences.get('*') ?? false;
  return (
    (['br', 'gzip'] as const).find((encoding) => asset.bodies[encoding] && accepts(encoding)) ?? 'identity'
  );
}
