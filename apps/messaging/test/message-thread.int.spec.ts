import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { type Actor, type CallInput, type MessageWithThread, messagingContract } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { EventContext } from '#libs/transport';
import { DeletedRecordRepository } from '../deleted/deleted-record.repository.js';
import { PersonalDataService } from '../personal-data/personal-data.service.js';
import { type MessagingUnderTest, startMessaging } from './messaging.harness.js';

const { admin, customer, visitor } = actors;

let messaging: MessagingUnderTest;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging?.stop());

async function add(emailAddress = `ada-${randomUUID()}@example.com`): Promise<string> {
  const body = { fullName: 'Ada Lovelace', emailAddress, subject: 'An engine', message: 'Can you help?' };
  return (await messaging.client.call(messagingContract.addMessage, { body }, { actor: visitor }))._id;
}
const getMessage = (id: string) =>
  messaging.client.call(messagingContract.getMessage, { id }, { actor: admin });
const reply = (id: string, text: string, requestId: string = randomUUID(), actor: Actor = admin) =>
  messaging.client.call(messagingContract.replyToMessage, { id, text }, { actor, requestId });
const note = (id: string, text: string, actor: Actor = admin) =>
  messaging.client.call(messagingContract.addMessageNote, { id, text }, { actor });
const setAnswered = (id: string, answered: boolean, actor: Actor = admin) =>
  messaging.client.call(messagingContract.setMessageAnswered, { id, answered }, { actor });
const list = async (input: CallInput<typeof messagingContract.listMessages>) =>
  (await messaging.client.call(messagingContract.listMessages, input, { actor: admin })).items;
/** The mails about a message, without those that its arrival causes. */
async function mails(id: string) {
  const query = `SELECT template, to_address AS to, params FROM mails WHERE about = $1
    AND template NOT IN ('messageReceived', 'messageAcknowledged')`;
  return (await messaging.sql.query<{ template: string; to: string; params: unknown }>(query, [id])).rows;
}
const kindsAndTexts = ({ thread }: MessageWithThread) => thread.map(({ kind, text }) => [kind, text]);

describe('a reply', () => {
  test('is mailed to the sender, and marks the message as read and answered', async () => {
    const id = await add('ada@example.com');
    const message = await reply(id, 'Yes.\n\nWe can.');
    expect(message).toMatchObject({
      messageStatus: 'Read',
      answeredAt: expect.any(String),
      version: 2,
      thread: [
        {
          kind: 'reply',
          text: 'Yes.\n\nWe can.',
          author: admin.email,
          mail: { state: 'queued', bouncedAt: null },
        },
      ],
    });
    expect(await getMessage(id)).toEqual(message);
    expect(await mails(id)).toEqual([
      {
        template: 'messageReply',
        to: 'ada@example.com',
        params: {
          reply: 'Yes.\n\nWe can.',
          subject: 'An engine',
          message: 'Can you help?',
          sentAt: message.createdAt,
        },
      },
    ]);
  });

  test('sent several times as one command is mailed once', async () => {
    const id = await add();
    const requestId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => reply(id, 'Yes.', requestId)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await mails(id)).toHaveLength(1);
  });

  test('is kept, and so are others that are written at the same time', async () => {
    const id = await add();
    await Promise.all(['One', 'Two', 'Three', 'Four'].map((text) => reply(id, text)));
    expect((await getMessage(id)).thread.map(({ text }) => text).toSorted()).toEqual([
      'Four',
      'One',
      'Three',
      'Two',
    ]);
    expect(await mails(id)).toHaveLength(4);
  });

  test.each<[string, string]>([
    ['', 'is required'],
    [' \n', 'is required'],
    ['x'.repeat(10_001), 'must have at most 10,000 characters'],
    ['a\0b', 'contains characters that cannot be stored'],
  ])('with the text %j is refused, and so is a note with this text', async (text, message) => {
    const id = await add();
    const refusal = { code: 'INVALID_INPUT', details: { fields: [{ field: 'text', message }] } };
    await expect(reply(id, text)).rejects.toMatchObject(refusal);
    await expect(note(id, text)).rejects.toMatchObject(refusal);
  });
});

describe('a note', () => {
  test('is kept and sent to nobody; the message stays open and unread', async () => {
    const id = await add();
    const message = await note(id, 'Owes us for March.');
    expect(message).toMatchObject({
      messageStatus: 'UnRead',
      answeredAt: null,
      thread: [{ kind: 'note', text: 'Owes us for March.', mail: null }],
    });
    expect(await mails(id)).toEqual([]);
  });

  test('is listed with the replies in the order of writing, and only replies are in the sender’s own data', async () => {
    const id = await add(customer.email);
    await note(id, 'Difficult.');
    await reply(id, 'Dear Ada');
    expect(kindsAndTexts(await note(id, 'Call on Monday.'))).toEqual([
      ['note', 'Difficult.'],
      ['reply', 'Dear Ada'],
      ['note', 'Call on Monday.'],
    ]);
    const { messages } = await messaging.client.call(messagingContract.getOwnData, {}, { actor: customer });
    const own = messages.find(({ _id }) => _id === id)!;
    expect(own.replies).toEqual([{ text: 'Dear Ada', createdAt: expect.any(String) }]);
    expect(JSON.stringify(own)).not.toContain('Difficult');
  });
});

test('a message can be marked as answered and as open again, and the list can show only answered or only open messages', async () => {
  const [otherId, id] = [await add(), await add()];
  expect(await setAnswered(id, true)).toMatchObject({
    messageStatus: 'Read',
    answeredAt: expect.any(String),
  });
  const idsOf = async (answered: boolean) => (await list({ answered })).map(({ _id }) => _id);
  expect(await idsOf(true)).toContain(id);
  expect(await idsOf(true)).not.toContain(otherId);
  expect(await idsOf(false)).toContain(otherId);
  expect(await setAnswered(id, false)).toMatchObject({ messageStatus: 'Read', answeredAt: null });
  expect(await idsOf(false)).toContain(id);
  const before = await getMessage(id);
  expect(await setAnswered(id, false)).toEqual(before);
});

test('a thread has at most a hundred entries', async () => {
  const id = await add();
  await messaging.sql.query(
    `UPDATE messages SET thread = (SELECT jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'kind', 'note',
       'text', 'n', 'author', 'a@example.com', 'createdAt', now())) FROM generate_series(1, 100)) WHERE id = $1`,
    [id],
  );
  await expect(reply(id, 'One more')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  await expect(note(id, 'One more')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  expect(await mails(id)).toEqual([]);
});

test('the thread comes back with a message that was deleted by mistake', async () => {
  const id = await add();
  const before = await reply(id, 'Yes.');
  await messaging.client.call(messagingContract.deleteMessage, { id }, { actor: admin });
  await expect(getMessage(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await messaging.client.call(messagingContract.restoreMessages, { ids: [id] }, { actor: admin });
  expect(await getMessage(id)).toMatchObject({ answeredAt: before.answeredAt, thread: before.thread });
});

test('the audit log records an added reply or note without its text, and that a message is open again', async () => {
  const id = await add();
  await reply(id, 'Secret sentence');
  await note(id, 'Secret note');
  await setAnswered(id, false);
  const { rows } = await messaging.sql.query<{ actor: string; before: object; after: object }>(
    'SELECT actor_email AS actor, before, after FROM audit_entries WHERE record_id = $1 ORDER BY id',
    [id],
  );
  const actor = admin.email;
  expect(rows).toEqual([
    {
      actor,
      before: { messageStatus: 'UnRead', answered: false },
      after: { messageStatus: 'Read', answered: true, added: 'reply' },
    },
    { actor, before: {}, after: { added: 'note' } },
    { actor, before: { answered: true }, after: { answered: false } },
  ]);
});

test('entries of the audit log about the messages and the newsletter subscription of a deleted account do not identify its owner', async () => {
  const { client, sql, replicas } = messaging;
  const options = { actor: admin };
  const [email, otherEmail] = ['Grace.Hopper@example.com', 'grace@example.com'];
  const [kept, deleted, ofOther] = [await add(email), await add(email), await add(otherEmail)];
  for (const id of [kept, ofOther]) await note(id, 'Called.');
  for (const id of [deleted, ofOther]) await client.call(messagingContract.deleteMessage, { id }, options);
  // Nobody can restore this message any more.
  await sql.query('DELETE FROM deleted_records WHERE id = $1', [deleted]);
  const { _id: subscriber } = await client.call(
    messagingContract.addSubscriber,
    { body: { email } },
    options,
  );
  await sql.query(`UPDATE subscribers SET status = 'suppressed', suppressed_reason = $2 WHERE id = $1`, [
    subscriber,
    `550 5.1.1 <${email}>: user unknown`,
  ]);
  await client.call(messagingContract.liftSuppression, { id: subscriber }, options);
  await client.call(messagingContract.deleteSubscriber, { id: subscriber }, options);
  const context = new EventContext({ eventId: randomUUID(), occurredAt: new Date(), deliveries: 1 });
  const personalData = replicas[0]!.app.get(PersonalDataService, { strict: false });
  await personalData.delete({ accountId: randomUUID(), email }, context);
  const { rows } = await sql.query<{ id: string; name: string; change: string; before: object }>(
    `SELECT record_id AS id, name, change, before FROM audit_entries WHERE record_id = ANY ($1) ORDER BY at`,
    [[kept, deleted, ofOther, subscriber]],
  );
  const name = 'a deleted account';
  const messageStatus = 'UnRead';
  const details = { fullName: 'Ada Lovelace', emailAddress: otherEmail, subject: 'An engine', messageStatus };
  const nameOfOther = 'An engine (Ada Lovelace)';
  expect(rows).toEqual([
    { id: kept, name, change: 'updated', before: {} },
    { id: ofOther, name: nameOfOther, change: 'updated', before: {} },
    { id: deleted, name, change: 'deleted', before: { messageStatus } },
    { id: ofOther, name: nameOfOther, change: 'deleted', before: details },
    { id: subscriber, name, change: 'updated', before: { status: 'suppressed' } },
    { id: subscriber, name, change: 'deleted', before: {} },
  ]);
});

test('records that an admin restores while the account of their owner is being deleted are deleted as well', async () => {
  const { client, sql, replicas } = messaging;
  const options = { actor: admin };
  const email = 'Restored@example.com';
  const message = await add(email);
  const body = { email };
  const { _id: subscriber } = await client.call(messagingContract.addSubscriber, { body }, options);
  await client.call(messagingContract.deleteMessage, { id: message }, options);
  await client.call(messagingContract.deleteSubscriber, { id: subscriber }, options);
  const [restoring, deleting] = replicas.map(({ app }) => app);
  const deletedRecords = restoring!.get(DeletedRecordRepository, { strict: false });
  const context = new EventContext({ eventId: randomUUID(), occurredAt: new Date(), deliveries: 1 });
  let deleted: Promise<void>;
  await restoring!.get(DataSource).transaction(async (tx) => {
    await deletedRecords.restore(tx, 'messages', [message]);
    await deletedRecords.restore(tx, 'subscribers', [subscriber]);
    deleted = deleting!
      .get(PersonalDataService, { strict: false })
      .delete({ accountId: randomUUID(), email }, context);
    await eventually(async () => {
      const { rowCount } = await sql.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBe(1);
    });
  });
  await deleted!;
  const { rows } = await sql.query(
    `SELECT id FROM messages WHERE id = ANY ($1) UNION ALL SELECT id FROM subscribers WHERE id = ANY ($1)
     UNION ALL SELECT id FROM deleted_records WHERE id = ANY ($1)`,
    [[message, subscriber]],
  );
  expect(rows).toEqual([]);
});

test('only admins can reply, add notes and mark a message as answered; a reply to an unknown message is refused', async () => {
  const id = await add();
  for (const call of [
    () => reply(id, 'x', randomUUID(), customer),
    () => note(id, 'x', customer),
    () => setAnswered(id, true, customer),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(reply(randomUUID(), 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
