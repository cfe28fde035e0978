import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type CallInput,
  type Deliverable,
  reportContract,
  reportLinkLimits,
  teamContract,
  visitor,
} from '#libs/contracts';
import type { CallOptions } from '#libs/transport';
import { customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const owner = customerNamed('owner');
const member = customerNamed('member');
const outsider = customerNamed('outsider');

const call = <C extends (typeof reportContract)[keyof typeof reportContract]>(
  contract: C,
  input: CallInput<C>,
  options: CallOptions = { actor: owner },
) => projects.client.call(contract, input, options);

async function putProjectWithDeliverables(): Promise<string> {
  const id = await projects.put({ accountId: owner.accountId });
  const deliverables: [string, string, Deliverable['state'], string | null][] = [
    ['Half an audit', '2026-09-30T09:00:00Z', 'replaced', null],
    ['The audit', '2026-10-02T09:00:00Z', 'accepted', '2026-11-03T10:00:00Z'],
    ['A first draft', '2026-11-01T00:00:00Z', 'replaced', null],
    ['New titles', '2026-11-30T23:59:59Z', 'delivered', null],
  ];
  for (const [index, [text, deliveredAt, state, decidedAt]] of deliverables.entries())
    await projects.sql.query(
      `INSERT INTO deliverables (id, project_id, number, text, links, state, delivered_at, delivered_by, decided_at)
       VALUES ($1, $2, $3, $4, '{https://example.com/audit}', $5, $6, 'Eve', $7)`,
      [randomUUID(), id, index + 1, text, state, deliveredAt, decidedAt],
    );
  return id;
}

const sharedReport = (token: string, month?: string) =>
  call(reportContract.readSharedReport, { token, month }, { actor: visitor });

describe('the report of a project', () => {
  test('lists what was handed over in a month and not replaced, by default in the newest month that has anything', async () => {
    const id = await putProjectWithDeliverables();
    const report = await call(reportContract.getProjectReport, { id });
    expect(report).toMatchObject({ title: 'SEO audit', month: '2026-11', months: ['2026-11', '2026-10'] });
    expect(report.delivered.map(({ text, state }) => [text, state])).toEqual([['New titles', 'delivered']]);
    const october = await call(reportContract.getProjectReport, { id, month: '2026-10' });
    expect(october.delivered).toEqual([
      {
        ...{ text: 'The audit', state: 'accepted', files: [], links: ['https://example.com/audit'] },
        ...{ deliveredAt: '2026-10-02T09:00:00.000Z', acceptedAt: '2026-11-03T10:00:00.000Z' },
      },
    ]);
  });

  test('and its links are not found by anybody outside the project', async () => {
    const id = await putProjectWithDeliverables();
    await projects.join(owner.accountId, member);
    expect((await call(reportContract.getProjectReport, { id }, { actor: member })).number).toBeGreaterThan(
      0,
    );
    for (const anyId of [id, randomUUID(), 'x'])
      for (const attempt of [
        () => call(reportContract.getProjectReport, { id: anyId }, { actor: outsider }),
        () => call(reportContract.listReportLinks, { id: anyId }, { actor: outsider }),
        () => call(reportContract.createReportLink, { id: anyId, label: '', days: 7 }, { actor: outsider }),
        () => call(reportContract.deleteReportLink, { id: anyId, link: randomUUID() }, { actor: outsider }),
      ])
        await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a link to a report', () => {
  test('shows the report to anybody until the link is revoked; the list of links says when the link was opened', async () => {
    const id = await putProjectWithDeliverables();
    const { token, ...link } = await call(reportContract.createReportLink, {
      id,
      label: 'The boss',
      days: 30,
    });
    const list = () => call(reportContract.listReportLinks, { id });
    expect(await list()).toEqual([link]);
    expect(link).toMatchObject({ label: 'The boss', openedAt: null });
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBe(30 * 86_400_000);

    expect((await sharedReport(token, '2026-10')).delivered.map(({ text }) => text)).toEqual(['The audit']);
    expect((await list())[0]!.openedAt).not.toBeNull();

    await call(reportContract.deleteReportLink, { id, link: link._id });
    await expect(sharedReport(token)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    expect(await list()).toEqual([]);
    await expect(call(reportContract.deleteReportLink, { id, link: link._id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('that has expired, or was never made, shows nothing', async () => {
    const id = await putProjectWithDeliverables();
    const { token, _id } = await call(reportContract.createReportLink, { id, label: '', days: 1 });
    await projects.sql.query(
      `UPDATE report_links SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [_id],
    );
    for (const uselessToken of [token, 'x'.repeat(43)])
      await expect(sharedReport(uselessToken)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
  });

  test('is made once for a repeated request, which gets a token that works, and no token is stored', async () => {
    const id = await putProjectWithDeliverables();
    const options = { actor: owner, requestId: randomUUID() };
    const input = { id, label: 'Once', days: 7 };
    const first = await call(reportContract.createReportLink, input, options);
    const again = await call(reportContract.createReportLink, input, options);
    expect(again._id).toBe(first._id);
    expect((await sharedReport(again.token)).title).toBe('SEO audit');
    const { rows } = await projects.sql.query<{ row: string }>(
      'SELECT i::text AS row FROM inbox_entries i UNION ALL SELECT r::text FROM report_links r',
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) for (const { token } of [first, again]) expect(row).not.toContain(token);
  });

  test('is not returned for a request that a former colleague repeats', async () => {
    const otherOwner = customerNamed('owner');
    const id = await projects.put({ accountId: otherOwner.accountId });
    await projects.join(otherOwner.accountId, member);
    const options = { actor: member, requestId: randomUUID() };
    const input = { id, label: 'Mine', days: 7 };
    await call(reportContract.createReportLink, input, options);
    await projects.sql.query('DELETE FROM team_members WHERE owner_id = $1', [otherOwner.accountId]);
    await expect(call(reportContract.createReportLink, input, options)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('stops working when its maker is removed from the team; the links of others keep working', async () => {
    const otherOwner = customerNamed('owner');
    const id = await projects.put({ accountId: otherOwner.accountId });
    await projects.join(otherOwner.accountId, member);
    const input = { id, label: '', days: 7 };
    const ofMember = await call(reportContract.createReportLink, input, { actor: member });
    const ofOwner = await call(reportContract.createReportLink, input, { actor: otherOwner });
    const removed = { id: member.accountId };
    await projects.client.call(teamContract.removeFromTeam, removed, { actor: otherOwner });
    await expect(sharedReport(ofMember.token)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    expect((await sharedReport(ofOwner.token)).title).toBe('SEO audit');
  });

  test('cannot be made when there are too many', async () => {
    const id = await putProjectWithDeliverables();
    const make = () => call(reportContract.createReportLink, { id, label: '', days: 1 });
    const made = await Promise.allSettled(Array.from({ length: reportLinkLimits.links + 3 }, make));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(reportLinkLimits.links);
    await expect(make()).rejects.toMatchObject({ code: 'COLLECTION_FULL' });
  });
});
