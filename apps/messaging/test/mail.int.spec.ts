import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { demoDomain, type MailRequest } from '#libs/contracts';
import { Metrics, type RunningService } from '#libs/platform';
import { eventually } from '#libs/testing';
import { EventContext } from '#libs/transport';
import { DemoRecordRepository } from '../demo-data/demo-record.repository.js';
import { DeliveryRepository } from '../delivery/delivery.repository.js';
import { MailRepository } from '../mail/mail.repository.js';
import { mailView } from '../mail/mail.service.js';
import { PersonalDataService } from '../personal-data/personal-data.service.js';
import { MailHarness } from './mail.harness.js';

const link = 'https://northrank.example/verify-email#token=correct-horse';
const when = '2026-11-21T09:30:00Z';

let harness: MailHarness;
let messaging: RunningService;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

beforeAll(async () => {
  harness = await MailHarness.open();
  messaging = await harness.start({
    // In one test, the mail server takes long to answer.
    MAIL_TIMEOUT_MS: '60000',
    MAIL_REPLY_TO: 'Help desk <help@northrank.example>',
    MAIL_RETURN_PATH: 'bounces@northrank.example',
    DKIM_DOMAIN: 'northrank.example',
    DKIM_SELECTOR: 'mail',
    DKIM_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('\n', '\\n'),
  });
  await harness.addContent('siteName', { siteName: 'Northrank & Söhne <SEO>' });
  await harness.addContent('logo', { logo: '/demo/logo.svg' });
  await eventually(async () => {
    const { rows } = await harness.sql.query('SELECT 1 FROM site_copies');
    expect(rows).toHaveLength(2);
  });
});
afterEach(() => harness.mail.behave());
afterAll(() => harness.close());

const sampleParams: { [T in MailRequest['template']]: Extract<MailRequest, { template: T }>['params'] } = {
  verifyEmail: { link, expiresAt: '2099-11-22T09:30:00Z' },
  resetPassword: { link },
  changeEmail: { link },
  emailChanged: { newEmailMasked: 'a***@example.com' },
  passwordChanged: {},
  newSignIn: { device: 'Firefox on <Linux> & co', when, place: 'Oslo' },
  accountDeleted: {},
  secondFactorChanged: { what: 'passkeyAdded' },
  adminInvitation: { link, expiresAt: '2099-11-22T09:30:00Z', invitedBy: 'owner@example.com' },
  teamInvitation: {
    link,
    expiresAt: '2099-11-22T09:30:00Z',
    ownerName: 'Ada <Lovelace> & co',
    role: 'member',
  },
};
const samples = Object.entries(sampleParams) as [MailRequest['template'], MailRequest['params']][];

describe('a mail about an account', () => {
  test.each(samples)(
    '(%s) arrives as text and HTML, with the name and logo of the site',
    async (template, params) => {
      const to = `${template.toLowerCase()}@example.com`;
      const id = await harness.request({ template, params, to } as Omit<MailRequest, 'mailId'>);
      const mail = await eventually(() => harness.mail.newest({ to }));
      const header = (name: string) =>
        mail.headers.filter((one) => one.name === name).map(({ value }) => value);

      expect(header('from')[0]).toMatch(/<hello@northrank\.example>$/);
      expect(header('to')).toEqual([to]);
      expect(header('reply-to')).toEqual(['Help desk <help@northrank.example>']);
      expect(header('message-id')).toEqual([`<${id}@northrank.example>`]);
      expect(header('auto-submitted')).toEqual(['auto-generated']);
      expect(Date.parse(header('date')[0]!)).toBeGreaterThan(Date.now() - 600_000);
      expect(header('dkim-signature')[0]).toMatch(/d=northrank\.example; .*s=mail/s);
      expect(header('content-type')[0]).toMatch(/^multipart\/alternative/);
      expect(header('list-unsubscribe')).toEqual([]);
      expect(mail.from).toBe(`bounces+${id.replaceAll('-', '')}@northrank.example`);

      expect(mail.html).toContain('src="https://northrank.example/demo/logo.svg"');
      expect(mail.html).toContain('Northrank &#38; Söhne &#60;SEO&#62;');
      expect(mail.html).not.toMatch(/<script|<Linux>/);
      expect(mail.html.match(/<img/g)).toHaveLength(1);
      expect(mail.text).toContain('Northrank & Söhne <SEO>');
      // Params appear as they are, except times and choices, which are written in words.
      for (const [name, shown] of Object.entries(params).filter(
        ([, value]) => !/^20\d\d-/.test(String(value)),
      )) {
        if (template !== 'secondFactorChanged' && name !== 'role') expect(mail.text).toContain(shown);
      }
      if ('link' in params) expect(mail.html).toContain(`href="${link}"`);

      await eventually(async () =>
        expect(await harness.row(id)).toMatchObject({ state: 'sent', attempts: 1 }),
      );
      const after = (await harness.row(id))!;
      expect(after).toMatchObject({ subject: mail.subject, message_id: mail.messageId });
      expect(after.answer).toContain('250');
      expect(JSON.stringify(after.params)).not.toContain('correct-horse');
      expect(after.params_blanked).toBe('link' in params);
    },
  );

  test('is sent once if it is requested twice', async () => {
    const to = 'twice@example.com';
    const id = await harness.request({ template: 'passwordChanged', params: {}, to });
    await harness.request({ template: 'passwordChanged', params: {}, to }, id);
    await harness.request({ template: 'accountDeleted', params: {}, to });
    await harness.untilHandled('mail');
    const statesQuery = `SELECT state FROM mails WHERE to_address = $1`;
    await eventually(async () => {
      const { rows } = await harness.sql.query(statesQuery, [to]);
      expect(rows).toEqual([{ state: 'sent' }, { state: 'sent' }]);
    });
    const caught = await harness.mail.list({ to });
    expect(caught).toHaveLength(2);
    expect(caught.filter(({ messageId }) => messageId === `<${id}@northrank.example>`)).toHaveLength(1);
  });

  test('is cancelled if its link has expired before it could be sent', async () => {
    const to = 'late@example.com';
    const id = await harness.request({
      template: 'resetPassword',
      params: { link, expiresAt: '2020-01-01T00:00:00Z' },
      to,
    });
    await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'cancelled' }));
    expect((await harness.row(id))!.params).not.toHaveProperty('link');
    expect(await harness.mail.list({ to })).toEqual([]);
  });
});

test('the last mail to a deleted account is deleted a day later, and other mails are kept', async () => {
  const last = await harness.request({ template: 'accountDeleted', params: {}, to: 'gone@example.com' });
  const ordinary = await harness.request({
    template: 'passwordChanged',
    params: {},
    to: 'stays@example.com',
  });
  const age = async (hours: number) => {
    await harness.sql.query(
      `UPDATE mails SET finished_at = finished_at - $2 * interval '1 hour' WHERE id = ANY ($1::uuid[])`,
      [[last, ordinary], hours],
    );
    await messaging.app.get(MailRepository, { strict: false }).deleteOld();
    return [await harness.row(last), await harness.row(ordinary)].map((mail) => mail?.state);
  };
  await eventually(async () => {
    for (const id of [last, ordinary]) expect(await harness.row(id)).toMatchObject({ state: 'sent' });
  });
  expect(await age(23)).toEqual(['sent', 'sent']);
  expect(await age(2)).toEqual([undefined, 'sent']);
});

describe('finished mails to admins', () => {
  const remainingAbouts = async () => {
    const { rows } = await harness.sql.query<{ about: string }>(
      `SELECT about FROM mails WHERE to_address = 'owner@example.com' ORDER BY about`,
    );
    return rows.map(({ about }) => about);
  };
  /** Replaces the mails to the admin by one finished mail for each `about`. */
  const replaceFinishedMails = async (paramsByAbout: Record<string, object>) => {
    await harness.sql.query(`DELETE FROM mails WHERE to_address = 'owner@example.com'`);
    for (const [about, params] of Object.entries(paramsByAbout))
      await harness.sql.query(
        `INSERT INTO mails (id, template, params, to_address, message_id, about, state, priority, next_attempt_at, finished_at)
         VALUES (gen_random_uuid(), 'any', $1, 'owner@example.com', gen_random_uuid()::text, $2, 'sent', 1, now(), now())`,
        [params, about],
      );
  };

  const deleteAccount = (accountId: string, email: string | null) =>
    messaging.app
      .get(PersonalDataService, { strict: false })
      .delete(
        { accountId, email },
        new EventContext({ eventId: randomUUID(), occurredAt: new Date(), deliveries: 1 }),
      );

  test('are deleted with the account that they are about', async () => {
    const accountId = randomUUID();
    await replaceFinishedMails({
      message: { emailAddress: 'Zoe@Example.com' },
      order: { email: 'zoe@example.com' },
      plan: { customerEmail: 'Zoe@example.com', customerName: 'Zoe' },
      project: { accountId, name: 'Zoe' },
      'project of another': { accountId: randomUUID(), name: 'Zoe' },
      'plan of another': { customerEmail: 'xzoe@example.com' },
    });
    await deleteAccount(accountId, 'Zoe@example.com');
    expect(await remainingAbouts()).toEqual(['plan of another', 'project of another']);
  });

  test('are kept if they name only an address that the account never verified, because it may be somebody else’s', async () => {
    const accountId = randomUUID();
    await replaceFinishedMails({
      message: { emailAddress: 'zoe@example.com' },
      project: { accountId, name: 'Zoe' },
    });
    await deleteAccount(accountId, null);
    expect(await remainingAbouts()).toEqual(['message']);
  });

  test('about demo customers are removed with the demo data, and so are deleted demo records that could still be restored', async () => {
    const demoAddress = `Amara@${demoDomain}`;
    await replaceFinishedMails({
      message: { emailAddress: demoAddress },
      order: { email: demoAddress },
      plan: { customerEmail: demoAddress },
      'plan of another': { customerEmail: 'zoe@example.com' },
    });
    const deleted = [
      ['messages', { email_address: demoAddress }],
      ['subscribers', { email: demoAddress }],
      ['subscribers', { email: 'zoe@example.com' }],
    ] as const;
    for (const [source, record] of deleted)
      await harness.sql.query(
        'INSERT INTO deleted_records (source, id, record, deleted_at) VALUES ($1, gen_random_uuid(), $2, now())',
        [source, record],
      );
    await messaging.app.get(DataSource).transaction(async (tx) => {
      await messaging.app.get(DemoRecordRepository, { strict: false }).deleteAll(tx);
    });
    expect(await remainingAbouts()).toEqual(['plan of another']);
    const { rows } = await harness.sql.query('SELECT record FROM deleted_records');
    expect(rows).toEqual([{ record: { email: 'zoe@example.com' } }]);
  });
});

test('a mail that cannot be rendered fails, and loses its link', async () => {
  const { rows } = await harness.sql.query<{ id: string }>(
    `INSERT INTO mails (id, template, params, to_address, message_id, state, priority, next_attempt_at)
     VALUES (gen_random_uuid(), 'verifyEmail', '{"link": 7}', 'a@example.com', '<odd@example.com>', 'queued', 0, now())
     RETURNING id`,
  );
  await eventually(async () => expect(await harness.row(rows[0]!.id)).toMatchObject({ state: 'failed' }));
  expect((await harness.row(rows[0]!.id))!.answer).toContain('couldn’t be created');
  expect((await harness.row(rows[0]!.id))!.params).toEqual({});
});

const threeDaysAgo = () => new Date(Date.now() - 3 * 24 * 3_600_000);

/** Adds a mail to the queue, perhaps with an earlier creation or first attempt, and returns its id. */
async function enqueue(mail: {
  template: string;
  to: string;
  params?: object;
  createdAt?: Date;
  firstAttemptAt?: Date;
}): Promise<string> {
  const id = randomUUID();
  await harness.sql.query(
    `INSERT INTO mails (id, template, params, to_address, message_id, state, priority, next_attempt_at, created_at, dated_at)
     VALUES ($1, $2, $3, $4, $5, 'queued', 0, now(), coalesce($6, now()), $7)`,
    [
      ...[id, mail.template, mail.params ?? {}, mail.to, `<${id}@example.com>`],
      ...[mail.createdAt ?? null, mail.firstAttemptAt ?? null],
    ],
  );
  return id;
}

test('a mail that fails with an internal error is retried after longer and longer pauses, until it is too old', async () => {
  // Its params are missing, so reading its messages throws.
  const id = await enqueue({ template: 'projectMessages', to: 'b@example.com' });
  const pauseMs = async () => {
    const { rows: queued } = await harness.sql.query<{ ms: number }>(
      `SELECT extract(epoch FROM next_attempt_at - updated_at)::float * 1000 AS ms FROM mails
       WHERE id = $1 AND state = 'queued' AND answer IS NOT NULL`,
      [id],
    );
    return queued[0]?.ms;
  };
  // The first pause is at most `MAIL_RETRY_MS`, 50 ms here. A longer one shows that the pauses grow.
  await eventually(async () => expect(await pauseMs()).toBeGreaterThan(50));
  expect((await harness.row(id))!.answer).toBe('An internal error. See the log.');

  // As if the first attempt had been three days ago.
  await harness.sql.query(`UPDATE mails SET dated_at = dated_at - interval '3 days' WHERE id = $1`, [id]);
  await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'failed' }));
  expect((await harness.row(id))!.answer).toMatch(/^Given up after \d+ attempts: An internal error/);
});

test('a mail that waited for days before its first attempt is tried again after an error', async () => {
  const to = 'waited@example.com';
  await harness.mail.misbehave({
    to,
    refuse: { code: 451, text: '4.7.1 Try again later', at: 'rcpt' },
    times: 1,
  });
  const id = await enqueue({ template: 'passwordChanged', to, createdAt: threeDaysAgo() });
  await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'sent', attempts: 2 }));
});

test('a mail that is given up after one attempt records “1 attempt” and the answer of the mail server', async () => {
  const to = 'once@example.com';
  await harness.mail.misbehave({ to, refuse: { code: 451, text: '4.7.1 Try again later', at: 'rcpt' } });
  const id = await enqueue({ template: 'passwordChanged', to, firstAttemptAt: threeDaysAgo() });
  await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'failed' }));
  expect((await harness.row(id))!.answer).toBe('Given up after 1 attempt: 451 4.7.1 Try again later');
});

async function countOutcomes(outcome: string): Promise<number> {
  const { values } = await messaging.app.get(Metrics).registry.getSingleMetric('mails_total')!.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}

test('a mail that is given up because the messages in it cannot be read counts as failed', async () => {
  const before = await countOutcomes('failed');
  const id = await enqueue({
    template: 'projectMessages',
    to: 'c@example.com',
    params: { projectId: randomUUID(), accountId: randomUUID(), side: 'customer', afterSeq: 0, upToSeq: 1 },
    firstAttemptAt: threeDaysAgo(),
  });
  await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'failed' }));
  expect((await harness.row(id))!.answer).toBe('Given up: the messages couldn’t be read.');
  await eventually(async () => expect(await countOutcomes('failed')).toBe(before + 1));
});

test.each([
  ['sent', undefined],
  ['failed', '554 5.6.0 Refused'],
  ['failed', '550 5.1.1 No such user here'],
  ['postponed', '451 4.7.1 Try again later'],
])(
  'the outcome “%s” (answer: %s) is not counted if another process has the mail meanwhile',
  async (outcome, answer) => {
    const to = 'taken-over@example.com';
    const [code, ...text] = answer?.split(' ') ?? [];
    if (code) {
      const refuse = { code: Number(code), text: text.join(' '), at: 'data' } as const;
      await harness.mail.misbehave({ to, refuse });
    }
    const deliveries = messaging.app.get(DeliveryRepository, { strict: false });
    const confirm = deliveries.confirm.bind(deliveries);
    const spy = jest.spyOn(deliveries, 'confirm').mockImplementation(async (mail) => {
      const isConfirmed = await confirm(mail);
      if (mail.to === to)
        await harness.sql.query('UPDATE mails SET lease = gen_random_uuid() WHERE id = $1', [mail.id]);
      return isConfirmed;
    });
    const before = await countOutcomes(outcome);
    const id = await enqueue({ template: 'passwordChanged', to });
    await eventually(() => expect(spy).toHaveBeenCalledWith(expect.objectContaining({ id })));
    // The process handles the answer about one mail before it hands over the next.
    const next = await enqueue({ template: 'passwordChanged', to: 'next@example.com' });
    await eventually(async () => expect(await harness.row(next)).toMatchObject({ state: 'sent' }));
    spy.mockRestore();
    await harness.sql.query('DELETE FROM mails WHERE id = $1', [id]);
    // Only the next mail counts, as sent.
    expect(await countOutcomes(outcome)).toBe(outcome === 'sent' ? before + 1 : before);
  },
);

test.each([
  ['takes too long', '57014'],
  ['waits too long for a lock', '55P03'],
  ['ends in a deadlock', '40P01'],
])(
  'a mail that the server has accepted is not sent again if recording the delivery %s at first',
  async (_what, code) => {
    const to = `recorded-late-${code.toLowerCase()}@example.com`;
    // Numbers of a sequence are not given back, so the exception is raised only once.
    await harness.sql.query(
      `CREATE SEQUENCE records;
     CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('records') = 1 THEN RAISE EXCEPTION USING ERRCODE = '${code}'; END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER fail_first BEFORE UPDATE ON mails FOR EACH ROW
       WHEN (NEW.state = 'sent' AND NEW.to_address = '${to}') EXECUTE FUNCTION fail_first()`,
    );
    try {
      const id = await harness.request({ template: 'passwordChanged', params: {}, to });
      await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'sent' }));
      expect(await harness.row(id)).toMatchObject({ attempts: 1 });
      expect(await harness.mail.list({ to })).toHaveLength(1);
      const { rows } = await harness.sql.query(`SELECT last_value AS attempts FROM records`);
      expect(rows).toEqual([{ attempts: '2' }]);
    } finally {
      await harness.sql.query(
        'DROP TRIGGER fail_first ON mails; DROP FUNCTION fail_first; DROP SEQUENCE records',
      );
    }
  },
);

describe('a mail server that', () => {
  const send = async (to: string) => ({
    to,
    id: await harness.request({ template: 'passwordChanged', params: {}, to }),
  });

  test.each(['mail', 'rcpt', 'data'] as const)(
    'refuses a mail temporarily at the SMTP command `%s` gets it again, and accepts it',
    async (at) => {
      // At MAIL FROM the recipient is not known yet, so the rule applies to the next mail.
      const to = `for-now-${at}@example.com`;
      await harness.mail.misbehave({
        ...(at !== 'mail' && { to }),
        refuse: { code: 451, text: '4.7.1 Try again later', at },
        times: 2,
      });
      const { id } = await send(to);
      await eventually(async () =>
        expect(await harness.row(id)).toMatchObject({ state: 'sent', attempts: 3 }),
      );
      expect(await harness.mail.list({ to })).toHaveLength(1);
    },
  );

  test('refuses a mail permanently does not get it again', async () => {
    const to = 'nobody@example.com';
    await harness.mail.misbehave({ to, refuse: { code: 550, text: '5.1.1 No such user here', at: 'rcpt' } });
    const { id } = await send(to);
    await eventually(async () =>
      expect(await harness.row(id)).toMatchObject({ state: 'failed', attempts: 1 }),
    );
    expect((await harness.row(id))!.answer).toBe('550 5.1.1 No such user here');
    expect(await harness.mail.list({ to })).toEqual([]);
  });

  test.each(['kept', 'lost'] as const)(
    'hangs up after the message, which it has %s, gets the same mail again',
    async (drop) => {
      const to = `hangs-up-${drop}@example.com`;
      await harness.mail.misbehave({ to, drop, times: 1 });
      const { id } = await send(to);
      await eventually(async () =>
        expect(await harness.row(id)).toMatchObject({ state: 'sent', attempts: 2 }),
      );
      const caught = await harness.mail.list({ to });
      expect(caught.map(({ messageId }) => messageId)).toEqual(
        Array(drop === 'kept' ? 2 : 1).fill(`<${id}@northrank.example>`),
      );
    },
  );

  test('answers slowly gets each mail once, also those that wait in the meantime', async () => {
    await harness.mail.misbehave({ to: 'slow@example.com', delayMs: 600_000 });
    const slow = await send('slow@example.com');
    const isBeingSent = async ({ id }: { id: string }) =>
      expect(await harness.row(id)).toMatchObject({ state: 'sending', attempts: 1 });
    await eventually(() => isBeingSent(slow));
    // These wait, because a process hands over only one message at a time.
    const next = [await send('next-1@example.com'), await send('next-2@example.com')];
    for (const mail of next) await eventually(() => isBeingSent(mail));
    const { manager } = messaging.app.get(DataSource);
    const entity = await messaging.app.get(MailRepository, { strict: false }).find(manager, slow.id);
    expect(mailView(entity!)).toMatchObject({ state: 'sending', nextAttemptAt: null });
    await harness.mail.behave();
    for (const { id, to } of [slow, ...next]) {
      await eventually(async () =>
        expect(await harness.row(id)).toMatchObject({ state: 'sent', attempts: 1 }),
      );
      expect(await harness.mail.list({ to })).toHaveLength(1);
    }
  });
});
