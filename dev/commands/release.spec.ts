import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const repository = 'registry.example.com/shop/platform';
const overlayFile = 'k8s/overlays/production/kustomization.yaml';

let checkout = '';
let bin = '';
const calls = () => {
  const file = join(bin, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'release-'));
  // Git ignores this folder, so the stubs in it are not uncommitted changes.
  bin = join(checkout, 'node_modules', '.tools');
  for (const path of [
    'dev/commands/release.mjs',
    'dev/tools/root.mjs',
    'dev/tools/tool.mjs',
    'dev/tools/progress.mjs',
    'package.json',
    ...[overlayFile, '.gitignore', '.oxfmtrc.json'],
  ])
    cpSync(join(root, path), join(checkout, path));
  mkdirSync(bin, { recursive: true });
  for (const name of ['yaml', 'oxfmt'])
    symlinkSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name));
  const git = (...args: string[]) => execFileSync('git', ['-C', checkout, ...args]);
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=Release', '-c', 'user.email=release@example.com', 'commit', '--quiet', '-m', 'First');
  for (const name of ['docker', 'skopeo', 'trivy', 'npm']) stub(name);
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

/** The stub records its calls and then runs `script`. */
function stub(name: string, script = '') {
  const file = join(bin, name);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> "${bin}/calls"\n${script}\n`);
  chmodSync(file, 0o755);
}

/** Writes an OCI image layout with these attestations. The stub of `docker` copies it to the build's destination. */
function prepareBuild(...predicateTypes: string[]): { digest: string } {
  const layout = join(bin, 'layout');
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
  const blob = (value: object) => {
    const text = JSON.stringify(value);
    const hash = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(layout, 'blobs', 'sha256', hash), text);
    return { digest: `sha256:${hash}` };
  };
  const platform = blob({ layers: [] });
  const attestations = blob({
    layers: predicateTypes.map((predicateType) => blob({ predicateType, predicate: { of: predicateType } })),
  });
  const annotations = { 'vnd.docker.reference.type': 'attestation-manifest' };
  const index = blob({ manifests: [platform, { ...attestations, annotations }] });
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ manifests: [index] }));
  const target = '$(echo "$*" | sed "s/.*dest=\\([^,]*\\).*/\\1/")';
  stub('docker', `[ "$2" = build ] && cp -r "${layout}" "${target}" || true`);
  return index;
}
const attestationTypes = ['https://spdx.dev/Document', 'https://slsa.dev/provenance/v1'];

const release = (...args: string[]) =>
  run(process.execPath, ['dev/commands/release.mjs', ...args], {
    cwd: checkout,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: checkout },
  });

test('builds, scans and pushes the image, keeps its SBOM and provenance, and pins its digest', async () => {
  const { digest } = prepareBuild(...attestationTypes);
  stub('trivy', 'echo "Total: 0"');
  const overlayBefore = readFileSync(join(checkout, overlayFile), 'utf8');
  const { stdout } = await release(repository);
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
  const folder = join(checkout, 'release', version);
  const commit = execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  // Without the calls that check whether the tools are installed.
  const work = calls().filter((call) => !/version$/.test(call));
  expect(work.map((call) => call.split(' ').slice(0, 2).join(' '))).toEqual([
    ...['npm audit', 'docker buildx', 'trivy image', 'skopeo copy'],
  ]);
  expect(work[1]).toContain(`org.opencontainers.image.revision=${commit}`);
  expect(work[2]).toContain(
    `--input ${folder}/image --severity HIGH,CRITICAL --ignore-unfixed --exit-code 1`,
  );
  expect(work[3]).toBe(
    `skopeo copy --all --preserve-digests oci:${folder}/image docker://${repository}:${version}`,
  );
  const json = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown;
  expect(json('sbom.spdx.json')).toEqual({ of: attestationTypes[0] });
  expect(json('provenance.json')).toEqual({
    predicateType: attestationTypes[1],
    predicate: { of: attestationTypes[1] },
  });
  expect(readFileSync(join(folder, 'scan.txt'), 'utf8')).toBe('Total: 0\n');
  expect(readFileSync(join(folder, 'image.txt'), 'utf8')).toBe(`${repository}@${digest}\n`);
  expect(stdout).toContain(`${repository}@${digest}`);
  expect(readFileSync(join(checkout, overlayFile), 'utf8')).toBe(
    overlayBefore.replace(/newName: .*/, `newName: ${repository}`).replace(/digest: .*/, `digest: ${digest}`),
  );
});

test('names every tool that is missing, and does nothing else', async () => {
  for (const name of ['skopeo', 'trivy']) rmSync(join(bin, name));
  await expect(release(repository)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Not installed:\n- trivy, which .*\n- skopeo, which .*\n$/),
  });
  expect(calls()).toEqual(['docker buildx version']);
});

test.each([
  ['does not exist', 'k8s/overlays/prodution', 'does not exist'],
  ['has no image of the platform', 'k8s/empty', 'has no image seo-services-platform'],
])('builds nothing if the overlay %s', async (_what, overlay, fault) => {
  mkdirSync(join(checkout, 'k8s/empty'));
  writeFileSync(join(checkout, 'k8s/empty/kustomization.yaml'), 'kind: Kustomization\n');
  await expect(release(repository, '--overlay', overlay)).rejects.toMatchObject({
    code: 1,
    stderr: `${join(checkout, overlay, 'kustomization.yaml')} ${fault}\n`,
  });
  expect(calls().join()).not.toMatch(/audit|build /);
});

test('refuses uncommitted changes, because the provenance could not name them', async () => {
  writeFileSync(join(checkout, 'new.ts'), '');
  await expect(release(repository)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('?? new.ts'),
  });
  expect(calls().join()).not.toMatch(/audit|build /);
});

test.each([
  ['npm', 'audit'],
  ['trivy', 'image'],
])(
  'neither pushes the image nor changes the overlay when the scan by %s finds something',
  async (tool, command) => {
    prepareBuild(...attestationTypes);
    stub(tool, `[ "$1" = ${command} ] && { echo CVE-2026-1; exit 1; } || true`);
    await expect(release(repository)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CVE-2026-1'),
    });
    expect(calls().join()).not.toContain('skopeo copy');
    expect(readFileSync(join(checkout, overlayFile), 'utf8')).toContain('sha256:000');
  },
);

test.each(attestationTypes)('refuses a build without an attestation of type %s', async (missing) => {
  prepareBuild(...attestationTypes.filter((type) => type !== missing));
  await expect(release(repository)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('docker buildx create --use'),
  });
  expect(calls().join()).not.toContain('skopeo copy');
});

test.each([undefined, 'platform', 'registry.example.com/platform:1.0', 'Registry.example.com/PLATFORM'])(
  'prints its usage if the image name is %s',
  async (name) => {
    await expect(release(...(name === undefined ? [] : [name]))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Usage: npm run release -- <registry>/<name>'),
    });
    expect(calls()).toEqual([]);
  },
);
