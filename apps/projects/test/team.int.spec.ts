import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Actor,
  mailRequested,
  teamChanged,
  teamContract,
  teamLimits,
  type TeamRole,
  threadContract,
} from '#libs/contracts';
import { eventually } from '#libs/testing';
import { customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const { getTeam, createTeamInvitation, readTeamInvitation, acceptTeamInvitation } = teamContract;
const visitor: Actor = { role: 'visitor' };
const invite = (owner: Actor, email: string, role: TeamRole = 'member') =>
  projects.client.call(createTeamInvitation, { email, name: 'Grace', role }, { actor: owner });
const accept = (token: string, actor: Actor) =>
  projects.client.call(acceptTeamInvitation, { token }, { actor });
const team = (actor: Actor) => projects.client.call(getTeam, {}, { actor });

/** The token in the newest mail to this address. */
async function tokenFor(email: string): Promise<string> {
  const { rows } = await projects.sql.query<{ link: string }>(
    `SELECT payload->'params'->>'link' AS link FROM outbox_messages
     WHERE event = $1 AND payload->>'to' = $2 ORDER BY id DESC LIMIT 1`,
    [mailRequested.event, email],
  );
  const { link } = rows[0]!;
  expect(link).toMatch(/^http:\/\/site\.test\/team-invitation#token=[\w-]{43}$/);
  return link.split('=')[1]!;
}

/** The role changes that were announced for a team, in the order of their versions. */
const announcedChanges = (ownerId: string) =>
  (
    projects.events as unknown as {
      event: string;
      ownerId: string;
      accountId: string;
      role: string | null;
      version: number;
    }[]
  )
    .filter((one) => one.event === teamChanged.event && one.ownerId === ownerId)
    .sort((one, other) => one.version - other.version)
    .map(({ accountId, role }) => [accountId, role]);

describe('an invitation', () => {
  test('is made and mailed once for a request that is repeated', async () => {
    const [owner, email] = [customerNamed('repeating'), 'once@example.com'];
    const options = { actor: owner, requestId: randomUUID() };
    const send = () =>
      projects.client.call(createTeamInvitation, { email, name: 'Grace', role: 'member' }, options);
    const [first, ...others] = await Promise.all([send(), send(), send()]);
    for (const other of others) expect(other).toEqual(first);
    const { rows } = await projects.sql.query(
      `SELECT 1 FROM outbox_messages WHERE event = $1 AND payload->>'to' = $2`,
      [mailRequested.event, email],
    );
    expect(rows).toHaveLength(1);
  });

  test('is mailed, shows what it offers, and makes the invited person a member once', async () => {
    const [owner, grace] = [customerNamed('ada.lovelace'), customerNamed('grace')];
    const id = await projects.put({ accountId: owner.accountId });
    const invitation = await invite(owner, 'Grace@Example.com');
    expect(invitation).toMatchObject({
      email: 'Grace@Example.com',
      name: 'Grace',
      role: 'member',
      expired: false,
    });
    const token = await tokenFor('Grace@Example.com');
    expect(await projects.client.call(readTeamInvitation, { token }, { actor: visitor })).toEqual({
      ...{ email: 'Grace@Example.com', name: 'Grace', role: 'member', ownerName: 'Ada Lovelace' },
      expiresAt: invitation.expiresAt,
    });
    const read = () => projects.client.call(threadContract.getThread, { id }, { actor: grace });
    await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await accept(token, grace)).toEqual({ ownerId: owner.accountId });
    expect((await read()).entries).toEqual([]);
    await expect(accept(token, grace)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await expect(
      projects.client.call(readTeamInvitation, { token }, { actor: visitor }),
    ).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    expect(await team(owner)).toMatchObject({
      name: 'Ada Lovelace',
      members: [{ _id: grace.accountId, name: 'Grace', email: 'grace@example.com', role: 'member' }],
      invitations: [],
      memberships: [],
    });
    expect(await team(grace)).toMatchObject({
      name: 'Grace',
      members: [],
      memberships: [{ _id: owner.accountId, ownerName: 'Ada Lovelace', role: 'member' }],
    });
    await eventually(() => expect(announcedChanges(owner.accountId)).toEqual([[grace.accountId, 'member']]));
    // Apart from the requested mail, which contains the link, only the hash of the token is stored.
    const { rows } = await projects.sql.query<{ text: string }>(
      `SELECT i::text AS text FROM team_invitations i UNION ALL SELECT e::text FROM inbox_entries e`,
    );
    expect(rows.map(({ text }) => text).join('\n')).not.toContain(token);
  });

  test('cannot be accepted by another account, or by one that has not confirmed the address', async () => {
    const [owner, grace] = [customerNamed('owner'), customerNamed('invited')];
    await invite(owner, grace.email);
    const token = await tokenFor(grace.email);
    const forbidden = { code: 'FORBIDDEN' };
    await expect(accept(token, customerNamed('other'))).rejects.toMatchObject(forbidden);
    await expect(accept(token, { ...grace, emailVerified: false })).rejects.toMatchObject(forbidden);
    await expect(accept(token, visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(accept('unknown', grace)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    // The invitation stays valid for the right account.
    await accept(token, grace);
  });

  test('expires after seven days, can be revoked, and is replaced by a second one', async () => {
    const [owner, grace] = [customerNamed('owner'), customerNamed('late')];
    const first = await invite(owner, grace.email);
    const firstToken = await tokenFor(grace.email);
    const days = (Date.parse(first.expiresAt) - Date.parse(first.sentAt)) / 86_400_000;
    expect(days).toBe(7);
    await projects.sql.query(`UPDATE team_invitations SET expires_at = now() WHERE id = $1`, [first._id]);
    await expect(accept(firstToken, grace)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    expect((await team(owner)).invitations).toMatchObject([{ _id: first._id, expired: true }]);

    const second = await invite(owner, grace.email.toUpperCase(), 'billing');
    expect((await team(owner)).invitations).toMatchObject([{ _id: second._id, role: 'billing' }]);
    await expect(accept(firstToken, grace)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    const revoke = (actor: Actor) =>
      projects.client.call(teamContract.deleteTeamInvitation, { id: second._id }, { actor });
    await expect(revoke(customerNamed('other'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await revoke(owner);
    await expect(accept(await tokenFor(grace.email.toUpperCase()), grace)).rejects.toMatchObject({
      code: 'LINK_EXPIRED',
    });
    expect((await team(owner)).invitations).toEqual([]);
  });

  test('that is revoked while it is accepted makes nobody a member', async () => {
    const [owner, grace] = [customerNamed('owner'), customerNamed('revoked')];
    const { _id } = await invite(owner, grace.email);
    const token = await tokenFor(grace.email);
    await projects.sql.query('BEGIN');
    await projects.sql.query('DELETE FROM team_invitations WHERE id = $1', [_id]);
    const refused = expect(accept(token, grace)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await eventually(async () => {
      const { rowCount } = await projects.sql.query(
        `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE NOT granted AND locktype = 'transactionid' AND datname = current_database()`,
      );
      expect(rowCount).toBe(1);
    });
    await projects.sql.query('COMMIT');
    await refused;
    expect((await team(owner)).members).toEqual([]);
  });

  test('cannot be sent to a member or to oneself, to too many people, too often, or without a confirmed address', async () => {
    const owner = customerNamed('busy');
    const grace = customerNamed('known');
    await projects.join(owner.accountId, grace);
    const code = (sending: Promise<unknown>) =>
      sending.then(
        () => undefined,
        (error: { code: string }) => error.code,
      );
    expect(await code(invite(owner, grace.email.toUpperCase()))).toBe('DUPLICATE');
    expect(await code(invite(owner, owner.email))).toBe('DUPLICATE');
    expect(await code(invite({ ...owner, emailVerified: false }, 'new@example.com'))).toBe('FORBIDDEN');
    for (let n = 1; n <= 3; n += 1) await invite(owner, 'often@example.com');
    expect(await code(invite(owner, 'often@example.com'))).toBe('RATE_LIMITED');
    // The limit for a mailbox also counts invitations by other customers, and those to its address with a tag.
    expect(await code(invite(customerNamed('another'), 'often+tag@example.com'))).toBe('RATE_LIMITED');
    // One member and one invitation are there already.
    for (let n = 1; n <= teamLimits.members - 2; n += 1)
      await projects.sql.query(
        `INSERT INTO team_invitations (id, owner_id, email, name, role, token_hash, sent_at, expires_at)
         VALUES (gen_random_uuid(), $1, $2, 'N', 'member', $3, now(), now() + interval '1 day')`,
        [owner.accountId, `n${n}@example.com`, randomUUID()],
      );
    expect(await code(invite(owner, 'one-more@example.com'))).toBe('COLLECTION_FULL');
  });

  test('that two accounts with the same address accept at the same time makes only one of them a member', async () => {
    const [owner, grace] = [customerNamed('owner'), customerNamed('twice')];
    await invite(owner, grace.email);
    const token = await tokenFor(grace.email);
    const outcomes = await Promise.allSettled(
      [grace, { ...grace, accountId: randomUUID() }].map((actor) => accept(token, actor)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await team(owner)).members).toHaveLength(1);
  });
});

describe('a colleague in a team', () => {
  const colleague = async (role: TeamRole = 'member') => {
    const [owner, grace] = [customerNamed('owner'), customerNamed('grace')];
    const id = await projects.put({ accountId: owner.accountId });
    await projects.join(owner.accountId, grace, role);
    const read = () => projects.client.call(threadContract.getThread, { id }, { actor: grace });
    return { owner, grace, read };
  };

  test('gets another role, which takes effect immediately and is announced', async () => {
    const { owner, grace, read } = await colleague();
    await read();
    const change = (role: TeamRole, actor: Actor = owner) =>
      projects.client.call(teamContract.changeTeamRole, { id: grace.accountId, role }, { actor });
    expect(await change('billing')).toMatchObject({ record: { role: 'billing' }, modified: true });
    expect(await change('billing')).toMatchObject({ modified: false });
    await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(change('member', grace)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await change('member');
    await read();
    await eventually(() =>
      expect(announcedChanges(owner.accountId)).toEqual([
        [grace.accountId, 'billing'],
        [grace.accountId, 'member'],
      ]),
    );
  });

  test.each(['is removed by the customer', 'leaves'])('%s, and no longer sees the projects', async (how) => {
    const { owner, grace, read } = await colleague();
    await read();
    const remove = (actor: Actor) =>
      projects.client.call(teamContract.removeFromTeam, { id: grace.accountId }, { actor });
    const leave = (actor: Actor) =>
      projects.client.call(teamContract.leaveTeam, { id: owner.accountId }, { actor });
    // Somebody outside the team can neither remove its members nor leave it.
    await expect(remove(customerNamed('other'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(leave(customerNamed('other'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await (how === 'leaves' ? leave(grace) : remove(owner));
    await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(leave(grace)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([(await team(owner)).members, (await team(grace)).memberships]).toEqual([[], []]);
    await eventually(() => expect(announcedChanges(owner.accountId)).toEqual([[grace.accountId, null]]));
  });

  test('who has projects of their own is named as the customer of the newest of them, in messages and on the team screen', async () => {
    const { grace, owner } = await colleague();
    const id = await projects.put({ accountId: owner.accountId });
    const putOwnProject = async (customerName: string) =>
      projects.sql.query('UPDATE projects SET customer_name = $2 WHERE id = $1', [
        await projects.put({ accountId: grace.accountId }),
        customerName,
      ]);
    await putOwnProject('Grace M. Hopper');
    await putOwnProject('Grace Hopper');
    const post = () => projects.client.call(threadContract.postMessage, { id, text: 'Hi' }, { actor: grace });
    expect([(await post()).by.name, (await team(grace)).name]).toEqual(['Grace Hopper', 'Grace Hopper']);
  });

  test('chooses a name, under which they write from then on', async () => {
    const { grace, owner } = await colleague();
    const id = await projects.put({ accountId: owner.accountId });
    const post = async () =>
      (await projects.client.call(threadContract.postMessage, { id, text: 'Hi' }, { actor: grace })).by.name;
    const before = await post();
    await projects.client.call(teamContract.updateTeamName, { name: 'Grace Hopper' }, { actor: grace });
    expect([before, await post(), (await team(grace)).name]).toEqual([
      'A colleague',
      'Grace Hopper',
      'Grace Hopper',
    ]);
  });
});
