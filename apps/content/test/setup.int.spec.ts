import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ContentRecord, contentContract, setupContract, type SetupStep, system } from '#libs/contracts';
import { allSections, type SectionName } from '#libs/content-model';
import { actors } from '#libs/testing';
import { demoContent } from '../seed/demo-content.js';
import { type ContentUnderTest, startContent } from './content.harness.js';

const asAdmin = { actor: actors.admin };
const asSystem = { actor: system };

let content: ContentUnderTest;

const guide = () => content.client.call(setupContract.contentSetup, {}, asAdmin);
const states = async () =>
  Object.fromEntries(Object.entries((await guide()).steps).map(([step, { state }]) => [step, state]));
const snapshot = async () => (await content.client.call(contentContract.snapshot, {}, asSystem)).sections;
const list = async (section: SectionName): Promise<ContentRecord[]> => (await snapshot())[section] ?? [];
const create = (section: SectionName, body: Record<string, unknown>) =>
  content.client.call(contentContract.create, { section, body }, asAdmin);
/** Gives the record the fields of the section's first demo record; those in `body` replace them. */
const update = (section: SectionName, { _id }: ContentRecord, body: object) =>
  content.client.call(
    contentContract.update,
    { section, id: _id, body: { ...demoContent[section][0], ...body } },
    asAdmin,
  );
const listDemo = () => content.client.call(setupContract.listDemoContent, {}, asAdmin);
const remove = () => content.client.call(setupContract.removeDemoContent, {}, asAdmin);
const restore = (ids: string[]) => content.client.call(setupContract.restoreDemoContent, { ids }, asAdmin);
const postpone = (step: SetupStep, postponed: boolean) =>
  content.client.call(setupContract.postponeSetupStep, { step, postponed }, asAdmin);
const auditEntries = async (section: string) =>
  (await content.sql.query('SELECT * FROM audit_entries WHERE section = $1 ORDER BY id', [section])).rows;

/** Demo records that contain only choices, such as a page title without a text, are not removed. */
const countWithOnlyChoices: Partial<Record<SectionName, number>> = {
  pageTitle: demoContent.pageTitle.filter(({ title }) => !title).length,
  mailText: demoContent.mailText.length,
};
const removableCount = (name: SectionName) => demoContent[name].length - (countWithOnlyChoices[name] ?? 0);

describe('on a site with the demo content', () => {
  beforeAll(async () => {
    content = await startContent({ seed: 'demo' });
  });
  afterAll(() => content.stop());

  test('every step is in the state demo, and the step of the logo leads to the demo’s logo', async () => {
    expect(new Set(Object.values(await states()))).toEqual(new Set(['demo']));
    const [logo] = await list('logo');
    expect((await guide()).steps.logo).toEqual({ state: 'demo', section: 'logo', recordId: logo!._id });
  });

  test('a step is done once all its records have the owner’s text, and is demo again once they have the demo’s text', async () => {
    const [name] = await list('siteName');
    await update('siteName', name!, { siteName: 'Summit' });
    expect(await states()).toMatchObject({ siteName: 'done', logo: 'demo' });
    await update('siteName', name!, { siteName: 'Northrank' });
    expect(await states()).toMatchObject({ siteName: 'demo' });
    for (const member of await list('teamMember'))
      await update('teamMember', member, { membername: member._id });
    expect(await states()).toMatchObject({ team: 'done' });
    await update('terms', (await list('terms'))[0]!, { termsText: 'Ours.' });
    expect((await guide()).steps.legalTexts).toMatchObject({ state: 'demo', section: 'privacy' });
  });

  test('a step can be postponed and resumed; postponing it twice is one change in the audit log', async () => {
    expect(await postpone('team', true)).toEqual({ postponed: ['team'] });
    expect(await postpone('team', true)).toEqual({ postponed: ['team'] });
    expect((await guide()).postponed).toEqual(['team']);
    expect(await postpone('team', false)).toEqual({ postponed: [] });
    expect(await auditEntries('setupStep')).toMatchObject([
      { record_id: 'team', after: { postponed: true } },
      { record_id: 'team', after: { postponed: false } },
    ]);
  });

  describe('the removal of the demo content', () => {
    let before: Record<string, ContentRecord[]>;
    let ids: string[];
    beforeAll(async () => {
      before = await snapshot();
    });

    test('lists by section what it removes: records as the seed created them, except those that contain only choices', async () => {
      const listed = Object.fromEntries(
        (await listDemo()).map(({ section, records }) => [section, records.length]),
      );
      // The tests above have changed all records of these sections.
      const unchangedCount: Partial<Record<string, number>> = { terms: 0, teamMember: 0 };
      const expected = allSections
        .map(({ name }) => [name, unchangedCount[name] ?? removableCount(name as SectionName)] as const)
        .filter(([, count]) => count > 0);
      expect(listed).toEqual(Object.fromEntries(expected));
      expect((await guide()).demoRecords).toBe(Object.values(listed).reduce((sum, count) => sum + count));
    });

    test('removes exactly the listed records, including singletons, and removes nothing the second time', async () => {
      const listed = (await listDemo()).flatMap(({ records }) => records.map(({ _id }) => _id));
      ({ ids } = await remove());
      expect(ids).toEqual(listed);
      const after = await snapshot();
      const left = Object.values(before)
        .flat()
        .filter(({ _id }) => !ids.includes(_id));
      expect(Object.values(after).flat()).toEqual(left);
      expect(after.logo).toEqual([]);
      expect(await auditEntries('logo')).toMatchObject([
        { change: 'deleted', actor_email: actors.admin.email },
      ]);
      expect(await remove()).toEqual({ ids: [] });
      expect(await listDemo()).toEqual([]);
      expect(await states()).toMatchObject({ siteName: 'missing', prices: 'missing', team: 'done' });
    });

    test('can be undone, except where an admin has written something since', async () => {
      const mine = await create('logo', { logo: '/mine.png' });
      const logo = before.logo![0]!._id;
      const outcome = await restore(ids);
      expect(outcome.failed).toMatchObject([{ _id: logo, code: 'SINGLETON_EXISTS' }]);
      expect(outcome.done).toEqual(ids.filter((id) => id !== logo));
      const withoutVersion = ({ version: _, updatedAt: __, ...record }: ContentRecord) => record;
      const after = await snapshot();
      const recordsIn = (sections: Record<string, ContentRecord[]>) =>
        Object.values(sections).map((records) => records.map(withoutVersion));
      expect(recordsIn({ ...after, logo: [] })).toEqual(recordsIn({ ...before, logo: [] }));
      expect(after.logo).toEqual([mine]);
      expect(await states()).toMatchObject({ siteName: 'demo', prices: 'demo', logo: 'done' });
    });

    test('when undone, does not restore a deleted record that was not demo content', async () => {
      const { _id } = await create('step', { stepTitle: 'a', stepDetails: 'b', stepNumber: '1' });
      await content.client.call(contentContract.remove, { section: 'step', id: _id }, asAdmin);
      expect(await restore([_id])).toMatchObject({ done: [], failed: [{ _id, code: 'NOT_FOUND' }] });
    });
  });
});

describe('on an empty site', () => {
  beforeAll(async () => {
    content = await startContent();
  });
  afterAll(() => content.stop());

  test('every step is missing until its record exists and has its text; if only the text is missing, the step leads to the record', async () => {
    expect(new Set(Object.values(await states()))).toEqual(new Set(['missing']));
    await create('siteName', { siteName: 'Summit' });
    const { _id: recordId } = await create('pageTitle', { page: 'Landing' });
    expect((await guide()).steps).toMatchObject({
      siteName: { state: 'done' },
      pageTitles: { state: 'missing', recordId },
    });
    for (const body of demoContent.pricingPackage) await create('pricingPackage', { ...body });
    expect(await states()).toMatchObject({ prices: 'done' });
  });

  test('there is no demo content to remove', async () => {
    expect(await listDemo()).toEqual([]);
    expect(await remove()).toEqual({ ids: [] });
  });
});
