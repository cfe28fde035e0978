import { expect, test } from '@jest/globals';
import type { AuditEntry } from '#libs/contracts';
import { differences } from './audit.js';

test('the values before and after show each item of a list', () => {
  const entry = {
    section: 'projectTemplate',
    before: { checklist: [], questions: [{ label: 'Your site?' }] },
    after: { checklist: ['Crawl', 'Report'], questions: [{ label: 'Your domain?' }] },
  } as unknown as AuditEntry;
  expect(differences(entry)).toEqual([
    { label: 'Checklist', before: undefined, after: 'Crawl, Report' },
    { label: 'Questions', before: '{"label":"Your site?"}', after: '{"label":"Your domain?"}' },
  ]);
});
