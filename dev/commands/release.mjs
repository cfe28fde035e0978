// `npm run release -- <registry>/<name>`: builds the image of this commit with its SBOM and provenance, scans it, pushes it, and puts its digest into
// the production overlay. See docs/operations/release.md. Nothing is pushed unless `npm audit` and the scan pass.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'oxfmt';
import { parseDocument } from 'yaml';
import { Progress } from '../tools/progress.mjs';
import { root } from '../tools/root.mjs';
import { runTool } from '../tools/tool.mjs';

const usage = 'npm run release -- <registry>/<name> [--overlay k8s/overlays/production]';

const tools = [
  ['docker buildx', ['docker', 'buildx', 'version'], 'builds the image, its SBOM and its provenance'],
  ['trivy', ['trivy', '--version'], 'looks for known vulnerabilities in the image'],
  ['skopeo', ['skopeo', '--version'], 'copies the scanned image to the registry'],
];

try {
  await release();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function release() {
  const { repository, overlay } = readArguments();
  const progress = new Progress();
  await progress.step('tools', checkTools);
  const kustomization = join(root, overlay, 'kustomization.yaml');
  // Reads the file before anything is built, to fail early.
  imageOf(readKustomization(kustomization), kustomization);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commit = await getCommit();
  const folder = join(root, 'release', version);
  const layout = join(folder, 'image');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  await progress.step('packages', async () => {
    await runTool('npm audit', 'npm', ['audit', '--omit=dev', '--audit-level=high']);
    return 'no known vulnerability of high severity';
  });
  await progress.step('image', () => buildImage(layout, `${repository}:${version}`, { version, commit }), {
    announce: 'building the image',
  });
  const { digest, sbom, provenance } = readLayout(layout);
  writeJson(join(folder, 'sbom.spdx.json'), sbom.predicate);
  writeJson(join(folder, 'provenance.json'), provenance);
  await progress.step('scan', async () => {
    const report = await runTool('The scan of the image', 'trivy', [
      ...['image', '--input', layout, '--severity', 'HIGH,CRITICAL'],
      ...['--ignore-unfixed', '--exit-code', '1', '--no-progress'],
    ]);
    writeFileSync(join(folder, 'scan.txt'), report);
    return 'no known vulnerability of high severity that has a fix';
  });
  await progress.step('push', () =>
    runTool('The push', 'skopeo', [
      ...['copy', '--all', '--preserve-digests', `oci:${layout}`, `docker://${repository}:${version}`],
    ]).then(() => `${repository}:${version}`),
  );
  rmSync(layout, { recursive: true });
  const image = `${repository}@${digest}`;
  writeFileSync(join(folder, 'image.txt'), `${image}\n`);
  await pinImage(kustomization, repository, digest);
  console.log(
    [
      '',
      image,
      `release/${version} holds its SBOM, its provenance and the scan report.`,
      `${overlay} now uses it. Next: npm run golden, review, commit, kubectl apply -k ${overlay}.`,
    ].join('\n'),
  );
}

function readArguments() {
  const options = { overlay: { type: 'string', default: 'k8s/overlays/production' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [repository, ...more] = positionals;
  if (!repository || more.length > 0) throw new Error(`Usage: ${usage}`);
  // The registry's name has a dot or is localhost, and may have a port; the image's name has no tag.
  if (!/^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/[a-z0-9][a-z0-9._-]*)+$/.test(repository))
    throw new Error(
      `${repository} must be a registry and the name of an image, without a tag.\nUsage: ${usage}`,
    );
  return { repository, overlay: values.overlay };
}

async function checkTools() {
  const missing = [];
  for (const [name, [command, ...args], purpose] of tools)
    await runTool(name, command, args).catch(() => missing.push(`${name}, which ${purpose}`));
  if (missing.length > 0) throw new Error(`Not installed:\n${missing.map((tool) => `- ${tool}`).join('\n')}`);
  return tools.map(([name]) => name).join(', ');
}

/** The provenance names the commit, so there must be no uncommitted changes. */
async function getCommit() {
  const changed = await runTool('git status', 'git', ['status', '--porcelain']);
  if (changed.trim()) throw new Error(`Commit or remove these changes first:\n${changed.trimEnd()}`);
  return (await runTool('git rev-parse', 'git', ['rev-parse', 'HEAD'])).trim();
}

/** The OCI layout can be scanned before the push, and the push does not change its digest. */
async function buildImage(layout, name, { version, commit }) {
  await runTool('The build of the image', 'docker', [
    ...['buildx', 'build', '--file', 'docker/Dockerfile', '--target', 'platform', '--pull'],
    ...['--label', `org.opencontainers.image.version=${version}`],
    ...['--label', `org.opencontainers.image.revision=${commit}`],
    ...['--sbom=true', '--provenance=mode=max,version=v1'],
    ...['--output', `type=oci,tar=false,dest=${layout},name=${name}`, '.'],
  ]);
}

function readLayout(layout) {
  const blob = (digest) => JSON.parse(readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8'));
  const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'));
  const [{ digest }] = manifests;
  const statements = (blob(digest).manifests ?? [])
    .filter(({ annotations = {} }) => annotations['vnd.docker.reference.type'] === 'attestation-manifest')
    .flatMap(({ digest: attestations }) => blob(attestations).layers)
    .map((layer) => blob(layer.digest));
  const attestation = (kind, predicateType) => {
    const found = statements.find((statement) => predicateType.test(statement.predicateType));
    if (!found)
      throw new Error(
        `The build produced no ${kind}. Use a driver that supports attestations: docker buildx create --use`,
      );
    return found;
  };
  return {
    digest,
    sbom: attestation('SBOM', /^https:\/\/spdx\.dev\/Document/),
    provenance: attestation('provenance', /^https:\/\/slsa\.dev\/provenance\/v1$/),
  };
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function readKustomization(file) {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  return parseDocument(readFileSync(file, 'utf8'));
}

function imageOf(document, file) {
  const image = document.get('images')?.items.find((one) => one.get('name') === 'seo-services-platform');
  if (!image) throw new Error(`${file} has no image seo-services-platform`);
  return image;
}

/** Like `kustomize edit set image`, but keeps the comments. */
async function pinImage(file, repository, digest) {
  const document = readKustomization(file);
  const image = imageOf(document, file);
  image.set('newName', repository);
  image.set('digest', digest);
  image.delete('newTag');
  const style = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'));
  const { code } = await format(file, document.toString({ lineWidth: 0 }), style);
  writeFileSync(file, code);
}
